import { encoded, has, type NameValue, type Sent, wellFormed } from './sent.js'
import { percentDecoded } from './urlSecrets.js'

/** What a request can be copied as. */
export const FORMATS = [
  { value: 'curl', label: 'cURL' },
  { value: 'fetch', label: 'JavaScript: fetch' },
  { value: 'python', label: 'Python: requests' },
  { value: 'httpie', label: 'HTTPie' }
] as const
export type Format = (typeof FORMATS)[number]['value']

const WRITERS: Readonly<Record<Format, (sent: Sent) => string>> = { curl, fetch, python, httpie }

/** What is sent as a text that sends it where it is pasted: into a POSIX shell, a module of Node, or Python. */
export const copiedAs = (format: Format, sent: Sent): string =>
  WRITERS[format](format === 'curl' ? sent : addressed(sent))

/** With a scheme, and whom the URL names as what they authenticate with: what curl takes as it stands others do not. */
function addressed(sent: Sent): Sent {
  const whole = /^([a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(sent.url) ? sent.url : `http://${sent.url}`
  const [, scheme = '', named, rest = ''] = /^([^:/]+:\/\/)([^/?#]*)@(.*)$/s.exec(whole) ?? []
  if (named === undefined) return { ...sent, url: whole }
  const [user = '', ...password] = named.split(':')
  const own = has(sent.headers, 'authorization')
    ? null
    : { user: percentDecoded(user), password: percentDecoded(password.join(':')) }
  return { ...sent, url: `${scheme}${rest}`, basic: sent.basic ?? own }
}

/** For a POSIX shell: nothing inside is expanded. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const lines = (parts: readonly string[]) => parts.join(' \\\n  ')
const FORM = { name: 'Content-Type', value: 'application/x-www-form-urlencoded' }
const formText = (fields: readonly NameValue[]) =>
  fields.map(({ name, value }) => `${encoded(name)}=${encoded(value)}`).join('&')

function curl({ method, url, headers, basic, body }: Sent): string {
  // Else curl makes several addresses of brackets and braces.
  const parts = [`curl ${/[[\]{}]/.test(url) ? '--globoff ' : ''}--url ${quoted(url)}`]
  const sends = method === 'HEAD' ? null : body
  if (method === 'HEAD') parts.push('--head')
  else if (method !== 'GET' || body) parts.push(`-X ${method}`)
  // With a semicolon a header is sent that is empty; with a colon none.
  for (const { name, value } of headers) parts.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  if (basic) parts.push(`-u ${quoted(`${basic.user}:${basic.password}`)}`)
  if (sends?.is === 'text') parts.push(`--data-raw ${quoted(sends.text)}`)
  if (sends?.is === 'urlencoded') parts.push(`--data-raw ${quoted(formText(sends.fields))}`)
  if (sends?.is === 'multipart') {
    for (const { name, value, isFile } of sends.parts)
      parts.push(
        isFile ? `-F ${quoted(`${name}=@"${inQuotes(value)}"`)}` : `--form-string ${quoted(`${name}=${value}`)}`
      )
  }
  return `${body && !sends ? '# A body goes along with HEAD, which curl does not send.\n' : ''}${lines(parts)}`
}

const inQuotes = (text: string) => text.replace(/["\\]/g, '\\$&')
const literal = (text: string) => JSON.stringify(wellFormed(text))

function fetch({ method, url, headers, basic, body }: Sent): string {
  const files = body?.is === 'multipart' && body.parts.some(({ isFile }) => isFile)
  const sends = body !== null && method !== 'GET' && method !== 'HEAD'
  const sentHeaders = headers.map(({ name, value }) => `    [${literal(name)}, ${literal(value)}]`)
  if (basic) {
    const pair = literal(`${basic.user}:${basic.password}`)
    sentHeaders.push(`    ["Authorization", "Basic " + Buffer.from(${pair}).toString("base64")]`)
  }
  const options = [`  method: ${literal(method)}`]
  if (sentHeaders.length > 0) options.push(`  headers: [\n${sentHeaders.join(',\n')}\n  ]`)
  if (sends && body.is === 'text') options.push(`  body: ${literal(body.text)}`)
  if (sends && body.is === 'urlencoded') options.push(`  body: new URLSearchParams([${pairs(body.fields, '[', ']')}])`)
  if (sends && body.is === 'multipart') options.push('  body: form')
  return [
    ...(files ? ['import { openAsBlob } from "node:fs"', ''] : []),
    ...(body && !sends ? [`// A body goes along with ${method}, which fetch does not send.`] : []),
    ...(sends && body.is === 'multipart' ? ['const form = new FormData()', ...body.parts.map(appended)] : []),
    `const response = await fetch(${literal(url)}, {\n${options.join(',\n')}\n})`,
    'console.log(response.status, await response.text())'
  ].join('\n')
}

const pairs = (fields: readonly NameValue[], open: string, close: string) =>
  fields.map(({ name, value }) => `${open}${literal(name)}, ${literal(value)}${close}`).join(', ')

const fileName = (path: string) => path.split(/[/\\]/).at(-1) ?? path

const appended = ({ name, value, isFile }: NameValue & { readonly isFile: boolean }) =>
  isFile
    ? `form.append(${literal(name)}, await openAsBlob(${literal(value)}), ${literal(fileName(value))})`
    : `form.append(${literal(name)}, ${literal(value)})`

function python({ method, url, headers, basic, body }: Sent): string {
  const given = [literal(method), literal(url)]
  // One header of each name, since a dictionary has no more: several values are one, with commas between them, cookies semicolons.
  const byName = new Map<string, string>()
  for (const { name, value } of headers) {
    const key = [...byName.keys()].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
    const between = key.toLowerCase() === 'cookie' ? '; ' : ', '
    byName.set(key, byName.has(key) ? `${byName.get(key)}${between}${value}` : value)
  }
  if (byName.size > 0) {
    const entries = [...byName].map(([name, value]) => `        ${literal(name)}: ${literal(value)}.encode(),`)
    given.push(`headers={\n${entries.join('\n')}\n    }`)
  }
  if (basic) given.push(`auth=(${literal(basic.user)}.encode(), ${literal(basic.password)}.encode())`)
  if (body?.is === 'text') given.push(`data=${literal(body.text)}.encode()`)
  if (body?.is === 'urlencoded') given.push(`data=[${pairs(body.fields, '(', ')')}]`)
  if (body?.is === 'multipart') {
    const parts = body.parts.map(({ name, value, isFile }) => {
      const part = isFile ? `(${literal(fileName(value))}, open(${literal(value)}, "rb"))` : `(None, ${literal(value)})`
      return `        (${literal(name)}, ${part}),`
    })
    given.push(`files=[\n${parts.join('\n')}\n    ]`)
  }
  return [
    'import requests',
    '',
    `response = requests.request(\n${given.map((one) => `    ${one},`).join('\n')}\n)`,
    'print(response.status_code, response.text)'
  ].join('\n')
}

function httpie({ method, url, headers, basic, body }: Sent): string {
  const parts = [`http --ignore-stdin${basic ? ` --auth ${quoted(`${basic.user}:${basic.password}`)}` : ''}`]
  const sent = body?.is === 'urlencoded' && !has(headers, 'content-type') ? [...headers, FORM] : headers
  if (body?.is === 'text') parts.push(`--raw ${quoted(body.text)}`)
  if (body?.is === 'urlencoded') parts.push(`--raw ${quoted(formText(body.fields))}`)
  if (body?.is === 'multipart') parts.push('--multipart')
  parts.push(`-- ${method} ${quoted(url)}`)
  for (const { name, value } of sent) parts.push(quoted(value === '' ? `${name};` : `${name}:${escaped(value)}`))
  if (body?.is === 'multipart') {
    for (const { name, value, isFile } of body.parts)
      parts.push(quoted(`${escapedName(name)}${isFile ? `@${value}` : `=${value.replace(/^[@=]/, '\\$&')}`}`))
  }
  return lines(parts)
}

/** What follows the colon of a header is a text, and never the name of a file. */
const escaped = (value: string) => (/^[@=]/.test(value) ? ` ${value}` : value)
const escapedName = (name: string) => name.replace(/[\\:=@;]/g, '\\$&')
