import { type FormRow, formBody, rawBody } from '../formats/body.js'
import { headerOf, type Item, type KeyValue, type Notes } from '../formats/model.js'
import { queryRows, urlParts, urlText } from '../formats/url.js'
import { authOfHeaders, basicAuth, NO_AUTH } from './auth.js'
import { fileBody, formField, sentForm, type TypedBody } from './bodies.js'
import { optionsOf } from './curlOptions.js'
import { methodOf, noSettings, type ReadSource, requestItems } from './parts.js'
import { commandsIn } from './shell.js'

/** True for lines of which one calls curl. */
export const isCurl = (text: string): boolean => /^[ \t]*(?:\$[ \t]+)?curl(?:\.exe)?\s/m.test(text)

/** Reads lines that call curl: a request for each. */
export function readCurl(text: string, notes: Notes): ReadSource {
  const calls = commandsIn(fromWindows(text)).map((words) => (words[0] === '$' ? words.slice(1) : words))
  const items = calls
    .filter(([program = '']) => /^curl(\.exe)?$/.test(program))
    .flatMap(callsIn)
    .flatMap((words) => requestOf(words, notes))
  return { name: 'Requests of curl', sourceId: null, settings: noSettings, items }
}

/** The calls that one of the program makes, which `--next` stands between: nothing of one goes for the next. */
function callsIn([program = '', ...words]: readonly string[]): readonly (readonly string[])[] {
  const calls: string[][] = [[program]]
  for (const word of words) {
    if (word === '--next' || word === '-:') calls.push([program])
    else calls.at(-1)?.push(word)
  }
  return calls
}

/** What browsers copy for the command line of Windows, as a shell would have it: `^` goes on with a line there, and escapes. */
function fromWindows(text: string): string {
  if (/^[ \t]*curl(?:\.exe)?\s+\^"/m.test(text))
    return text.replace(
      /\^(?:(\r?\n\r?\n)|\r?\n|(\S))/g,
      (_, end?: string, sign?: string) => sign ?? (end ? '\n' : ' ')
    )
  return /^[ \t]*curl(?:\.exe)?\s.*\^\r?$/m.test(text) ? text.replace(/ \^\r?\n/g, ' ') : text
}

interface Call {
  method: string | null
  url: string
  auth: typeof NO_AUTH
  isGet: boolean
  isJson: boolean
  /** Also where what it sends is not known. */
  hasBody: boolean
  readonly headers: KeyValue[]
  readonly data: string[]
  /** What is added to the query of the URL. */
  readonly query: string[]
  readonly form: FormRow[]
}

function requestOf(words: readonly string[], notes: Notes): readonly Item[] {
  const call: Call = {
    method: null,
    url: '',
    auth: NO_AUTH,
    isGet: false,
    isJson: false,
    hasBody: false,
    headers: [],
    data: [],
    query: [],
    form: []
  }
  const options = [...optionsOf(words)]
  // Nothing else of a call is told: its words may be secrets.
  const place = `curl ${pathOf(options.find(([name]) => name === 'url')?.[1] ?? '')}`.slice(0, 100)
  for (const [name, value] of options) take(call, name, value, place, notes)
  const method = methodOf(call.method ?? (call.hasBody && !call.isGet ? 'POST' : 'GET'), place, notes)
  if (!method) return []
  const { base, query, hash } = urlParts(call.url)
  const added = [...(call.isGet ? call.data : []), ...call.query].flatMap(queryRows)
  const url = urlText({ base, query: [...query, ...added], hash })
  const name = `${method} ${pathOf(call.url)}`
  const body = call.isGet ? {} : bodyOf(call)
  const { auth } = call
  const sent = auth.auth.type === 'none' ? authOfHeaders(call.headers) : { ...auth, headers: call.headers }
  return requestItems({ name, method, url, ...body }, sent, null)
}

/** The path of a URL, without who it names. */
const pathOf = (url: string): string =>
  urlParts(url)
    .base.replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/^[^/]*@/, '') || '/'

function take(call: Call, name: string, value: string, place: string, notes: Notes): void {
  const header = (key: string, text: string) => call.headers.push({ key, value: text, enabled: true })
  switch (name) {
    case 'request':
      call.method = value
      break
    case 'head':
      call.method ??= 'HEAD'
      break
    case 'get':
      call.isGet = true
      break
    case 'url':
      if (call.url === '') call.url = value
      else notes.add(place, 'Only the first of several URLs in one call is carried over.')
      break
    case 'header': {
      if (value.startsWith('@')) notes.add(place, 'A file of headers is not carried over.')
      else takeHeader(value, header)
      break
    }
    case 'url-query':
      if (value.startsWith('@')) notes.add(place, 'A file of parts of the query is not carried over.')
      else call.query.push(value.startsWith('+') ? value.slice(1) : urlEncoded(value))
      break
    case 'request-target':
      notes.add(place, 'Another target than that of the URL is not carried over.')
      break
    case 'user-agent':
      header('User-Agent', value)
      break
    case 'referer':
      header('Referer', value)
      break
    case 'cookie':
      if (value.includes('=')) header('Cookie', value)
      else notes.add(place, 'A file of cookies is not carried over.')
      break
    case 'user': {
      const [username = '', ...password] = value.split(':')
      call.auth = basicAuth(username, password.join(':'))
      break
    }
    case 'oauth2-bearer':
      header('Authorization', `Bearer ${value}`)
      break
    case 'json':
    case 'data':
    case 'data-ascii':
    case 'data-binary':
    case 'data-raw':
    case 'data-urlencode':
      call.isJson ||= name === 'json'
      call.hasBody = true
      if (isFile(name, value)) fileBody(place, notes)
      else call.data.push(name === 'data-urlencode' ? urlEncoded(value) : value)
      break
    case 'form':
    case 'form-string':
      call.hasBody = true
      call.form.push(formRow(value, name === 'form', place, notes))
      break
    case 'upload-file':
      call.method ??= 'PUT'
      fileBody(place, notes)
      break
    case 'digest':
    case 'ntlm':
    case 'negotiate':
    case 'aws-sigv4':
      notes.add(place, `Authentication by "${name}" is not carried over: there is basic and bearer.`)
      break
    default:
  }
}

/** A header as curl has it: a name with a semicolon is one without a value, and with a colon alone is one that is not sent. */
function takeHeader(written: string, header: (key: string, text: string) => void): void {
  const at = written.indexOf(':')
  const value = written.slice(at + 1).trim()
  if (at > 0 && value !== '') header(written.slice(0, at).trim(), value)
  else if (at < 0 && written.endsWith(';')) header(written.slice(0, -1).trim(), '')
}

/** True where the value of an option names the file that is sent. */
function isFile(option: string, value: string): boolean {
  if (option === 'data-urlencode') return value.includes('@') && !value.includes('=')
  return option !== 'data-raw' && value.startsWith('@')
}

function urlEncoded(value: string): string {
  const at = value.indexOf('=')
  return at < 0
    ? encodeURIComponent(value)
    : `${value.slice(0, at)}${at > 0 ? '=' : ''}${encodeURIComponent(value.slice(at + 1))}`
}

/** What stands behind the value of a field, of what type it is. */
const PART_TYPE = /;\s*type=([^;"']*)$/i

function formRow(given: string, mayBeFile: boolean, place: string, notes: Notes): FormRow {
  const at = given.indexOf('=')
  const [key, content] = at < 0 ? [given, ''] : [given.slice(0, at), given.slice(at + 1)]
  const isFile = mayBeFile && /^[@<]/.test(content)
  const [type = '', contentType] = (mayBeFile && !isFile && PART_TYPE.exec(content)) || []
  const value = content.slice(0, content.length - type.length)
  return formField({ key, value, contentType }, isFile, place, notes)
}

function bodyOf({ data, form, headers, isJson }: Call): Partial<TypedBody> {
  if (form.length > 0) return formBody('multipart', form)
  if (data.length === 0) return {}
  const body = data.join(isJson ? '' : '&')
  const type = headerOf(headers, 'content-type')
  if (isJson) return rawBody(body, 'application/json')
  if (type !== undefined) {
    return /x-www-form-urlencoded/i.test(type) ? sentForm(body, headers) : rawBody(body, type)
  }
  // Without a type curl says that it is a form; what is JSON was meant as such.
  const raw = rawBody(body, undefined)
  return raw.bodyType === 'json' || !/^[^\s=&]+=/.test(body) ? raw : sentForm(body, headers)
}
