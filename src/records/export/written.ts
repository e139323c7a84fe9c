import { stringify } from 'yaml'
import { headerOf, type KeyValue, type Notes, type RequestFields, type Variable } from '../formats/model.js'

/** What several formats write alike. */

export const STREAM_LOST = 'That a request takes a stream of events is left out.'

/** A value as the text of a file. */
export const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** The same in YAML. Long lines stay as they are, so that a comparison of two versions shows what has changed. */
export const yamlText = (value: object): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })

/** A row of keys and values. */
export const rowOf = ({ key, value, enabled }: KeyValue) => ({ key, value, ...(!enabled && { disabled: true }) })

const LANGUAGES = [
  [/[/+]xml\b/i, 'xml'],
  [/^text\/html\b/i, 'html'],
  [/\bjavascript\b/i, 'javascript']
] as const

/** The language of a body that is a text, as Postman tells it: by the header that says what it is. */
export function bodyLanguage({ headers }: Pick<RequestFields, 'headers'>): string {
  const type = headerOf(headers, 'content-type') ?? ''
  return LANGUAGES.find(([pattern]) => pattern.test(type))?.[1] ?? 'text'
}

/** A variable as formats have it: with one value. */
export type WrittenVariable = Omit<Variable, 'defaultValue'>

/** Variables with the value that is in force. What formats have no place for is told: `secrets` says that one knows which are not shared. */
export function writtenVariables(
  variables: readonly Variable[],
  place: string,
  notes: Notes,
  { secrets }: { readonly secrets: boolean }
): readonly WrittenVariable[] {
  if (variables.some(({ defaultValue }) => defaultValue !== ''))
    notes.add(place, 'A default value becomes the value of a variable that has none, and is left out otherwise.')
  if (!secrets && variables.some(({ share }) => !share)) notes.add(place, 'That variables are not shared is left out.')
  return variables.map(({ value, defaultValue, ...rest }) => ({ ...rest, value: value || defaultValue }))
}
