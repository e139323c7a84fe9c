import type { RequestFields } from '../formats/model.js'

const LANGUAGES = [
  [/[/+]xml\b/i, 'xml'],
  [/^text\/html\b/i, 'html'],
  [/\bjavascript\b/i, 'javascript']
] as const

/** The language of a body that is a text, as Postman tells it: by the header that says what it is. */
export function bodyLanguage({ headers }: Pick<RequestFields, 'headers'>): string {
  const type = headers.find(({ key, enabled }) => enabled && key.toLowerCase() === 'content-type')?.value ?? ''
  return LANGUAGES.find(([pattern]) => pattern.test(type))?.[1] ?? 'text'
}
