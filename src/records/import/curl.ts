import { type FormRow, formBody, rawBody } from '../formats/body.js'
import type { Item, KeyValue, Notes, RequestFields } from '../formats/model.js'
import { queryRows, urlParts, urlText } from '../formats/url.js'
import { authOfHeaders, basicAuth, NO_AUTH } from './auth.js'
import { formField } from './bodies.js'
import { headerOf, methodOf, noSettings, type ReadSource, requestItems } from './parts.js'
import { commandsIn } from './shell.js'

/** True for lines of which one calls curl. */
export const isCurl = (text: string): boolean => /^[ \t]*(?:\$[ \t]+)?curl(?:\.exe)?\s/m.test(text)

/** Options that take a value and say nothing about what is sent. */
const WITH_VALUE = new Set(
  'o output m max-time connect-timeout retry retry-delay retry-max-time w write-out x proxy U proxy-user resolve cacert cert E key c cookie-jar D dump-header T upload-file limit-rate Y y z C range r interface dns-servers max-redirs ciphers tls-max'.split(
    ' '
  )
)
const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  G: 'get',
  I: 'head'
}

/** Reads lines that call curl: a request for each. */
export function readCurl(text: string, notes: Notes): ReadSource {
  const calls = commandsIn(text).map((words) => (words[0] === '$' ? words.slice(1) : words))
  const items = calls
    .filter(([program = '']) => /^curl(\.exe)?$/.test(program))
    .flatMap((words) => requestOf(words, notes))
  return { name: 'Requests of curl', sourceId: null, settings: noSettings, items }
}

/** The options of a call with their values, in their order; what is no option is a `url`. */
function* optionsOf([, ...words]: readonly string[]): Generator<readonly [name: string, value: string], void> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const takes = (name: string) => WITH_VALUE.has(name) || VALUED.has(name)
    if (word.startsWith('--')) {
      const name = word.slice(2)
      yield [name, takes(name) ? (words[++at] ?? '') : '']
    } else if (/^-[^-]/.test(word)) {
      // Short options may stand together; the rest of the word is the value of one that takes one.
      for (let i = 1; i < word.length; i++) {
        const name = SHORT[word[i] ?? ''] ?? word[i] ?? ''
        if (!takes(name)) {
          yield [name, '']
          continue
        }
        yield [name, i + 1 < word.length ? word.slice(i + 1) : (words[++at] ?? '')]
        break
      }
    } else yield ['url', word]
  }
}

const VALUED = new Set(
  'request header data data-raw data-binary data-ascii data-urlencode json form form-string user user-agent referer cookie url oauth2-bearer'.split(
    ' '
  )
)

interface Call {
  method: string | null
  url: string
  auth: typeof NO_AUTH
  isGet: boolean
  isJson: boolean
  readonly headers: KeyValue[]
  readonly data: string[]
  readonly form: FormRow[]
}

function requestOf(words: readonly string[], notes: Notes): readonly Item[] {
  const call: Call = {
    method: null,
    url: '',
    auth: NO_AUTH,
    isGet: false,
    isJson: false,
    headers: [],
    data: [],
    form: []
  }
  const place = words.slice(0, 3).join(' ').slice(0, 100)
  for (const [name, value] of optionsOf(words)) take(call, name, value, place, notes)
  const hasBody = call.data.length > 0 || call.form.length > 0
  const method = methodOf(call.method ?? (hasBody && !call.isGet ? 'POST' : 'GET'), place, notes)
  if (!method) return []
  const { base, query, hash } = urlParts(call.url)
  const added = call.isGet ? call.data.flatMap(queryRows) : []
  const url = urlText({ base, query: [...query, ...added], hash })
  const name = `${method} ${base.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/'}`
  const body = call.isGet ? {} : bodyOf(call)
  const { auth } = call
  const sent = auth.auth.type === 'none' ? authOfHeaders(call.headers) : { ...auth, headers: call.headers }
  return requestItems({ name, method, url, ...body }, sent, null)
}

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
      const at = value.indexOf(':')
      if (at > 0) header(value.slice(0, at).trim(), value.slice(at + 1).trim())
      break
    }
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
      call.isJson = true
      call.data.push(value)
      break
    case 'data':
    case 'data-ascii':
    case 'data-binary':
      if (value.startsWith('@')) notes.add(place, 'A body that is a file is not carried over.')
      else call.data.push(value)
      break
    case 'data-raw':
      call.data.push(value)
      break
    case 'data-urlencode':
      call.data.push(urlEncoded(value, place, notes))
      break
    case 'form':
    case 'form-string':
      call.form.push(formRow(value, name === 'form', place, notes))
      break
    default:
  }
}

function urlEncoded(value: string, place: string, notes: Notes): string {
  const at = value.indexOf('=')
  if (value.includes('@') && at < 0) notes.add(place, 'A body that is a file is not carried over.')
  return at < 0
    ? encodeURIComponent(value)
    : `${value.slice(0, at)}${at > 0 ? '=' : ''}${encodeURIComponent(value.slice(at + 1))}`
}

function formRow(value: string, mayBeFile: boolean, place: string, notes: Notes): FormRow {
  const at = value.indexOf('=')
  const [key, content] = at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
  return formField({ key, value: content }, mayBeFile && /^[@<]/.test(content), place, notes)
}

function bodyOf({ data, form, headers, isJson }: Call): Partial<RequestFields> {
  if (form.length > 0) return formBody('multipart', form)
  if (data.length === 0) return {}
  const body = data.join(isJson ? '' : '&')
  const type = headerOf(headers, 'content-type')
  if (isJson) return rawBody(body, 'application/json')
  if (type !== undefined) {
    return /x-www-form-urlencoded/i.test(type) ? formOf(body) : rawBody(body, type)
  }
  // Without a type curl says that it is a form; what is JSON was meant as such.
  const raw = rawBody(body, undefined)
  return raw.bodyType === 'json' || !/^[^\s=&]+=/.test(body) ? raw : formOf(body)
}

function formOf(body: string) {
  const rows = [...new URLSearchParams(body)].map(
    ([key, value]): FormRow => ({ key, value, enabled: true, type: 'text' })
  )
  return formBody('urlencoded', rows)
}
