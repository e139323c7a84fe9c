/** An answer that was saved beside a request, to show what it may come to. */
export interface Example {
  readonly name: string
  readonly status: number
  readonly reason: string
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly body: string
}

const SUFFIX = ' examples.md'

/** The name of the document that holds the examples of a request. */
export const examplesName = (request: string): string => `${request.slice(0, 480)}${SUFFIX}`

const FENCE = /^(`{3,})http$/
const STATUS = /^HTTP\/1\.1 (\d{1,6})(?: (.*))?$/s
const HEADER = /^([^:]+): ?(.*)$/s

/** Examples as a markdown document that people can read, and `examplesIn` as well. */
export function examplesText(examples: readonly Example[]): string {
  return examples.map((example) => `## ${heading(example.name)}\n\n${message(example)}\n`).join('\n')
}

function message({ status, reason, headers, body }: Example): string {
  const runs = (body.match(/`{3,}/g) ?? []).map(({ length }) => length)
  const fence = '`'.repeat(runs.reduce((most, length) => Math.max(most, length + 1), 3))
  const start = `HTTP/1.1 ${status}${reason === '' ? '' : ` ${oneLine(reason)}`}`
  const lines = headers.map(({ key, value }) => `${oneLine(key).replaceAll(':', '')}: ${oneLine(value)}`)
  return [`${fence}http`, start, ...lines, '', body, fence].join('\n')
}

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ').trim()
const heading = (name: string) => oneLine(name) || 'Example'

/** The examples in such a document; null where it is another one. */
export function examplesIn(text: string): readonly Example[] | null {
  const lines = text.split('\n')
  const examples: Example[] = []
  let name: string | null = null
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, fence] = FENCE.exec(line) ?? []
    if (fence === undefined) {
      if (line.trim() === '') continue
      if (!line.startsWith('## ') || name !== null) return null
      name = line.slice(3)
      continue
    }
    const end = lines.indexOf(fence, at + 1)
    const example = end < 0 || name === null ? null : exampleOf(name, lines.slice(at + 1, end))
    if (!example) return null
    examples.push(example)
    name = null
    at = end
  }
  return name === null && examples.length > 0 ? examples : null
}

function exampleOf(name: string, [start = '', ...rest]: readonly string[]): Example | null {
  const [, status, reason = ''] = STATUS.exec(start) ?? []
  const blank = rest.indexOf('')
  if (status === undefined || blank < 0) return null
  const headers = rest.slice(0, blank).map((line) => {
    const [, key = line, value = ''] = HEADER.exec(line) ?? []
    return { key, value }
  })
  return { name, status: Number(status), reason, headers, body: rest.slice(blank + 1).join('\n') }
}
