import { type FormRow, formBody, rawBody } from '../formats/body.js'
import { readJson, writtenJson } from '../formats/json.js'
import { headerOf, type KeyValue, type Notes, type RequestFields } from '../formats/model.js'
import { decodedText, queryRows } from '../formats/url.js'
import { fields, text, textOrNull } from './loose.js'

/** What bodies of several formats come to. */

type Body = Pick<RequestFields, 'body' | 'bodyType'>

/** A body with the headers that say its type where the source leaves them out. */
export type TypedBody = Body & { readonly headers?: readonly KeyValue[] }

export const NO_BODY: Body = { bodyType: 'none', body: '' }

/** A body that is a file, which is known only on the machine that it is on. */
export function fileBody(place: string, notes: Notes): Body {
  notes.add(place, 'A body that is a file is not carried over.')
  return NO_BODY
}

/** A field of a form as files have it. */
interface SourceField {
  readonly key: unknown
  readonly value: unknown
  readonly enabled?: boolean
  readonly contentType?: unknown
}

/** A field of a form; of one that sends a file `isNamed` says whether it names which. */
export function formField(
  { key, value, enabled = true, contentType }: SourceField,
  isFile: boolean,
  place: string,
  notes: Notes,
  isNamed = isFile
): FormRow {
  if (isNamed) notes.add(place, 'Which file a field of a form sends is not carried over; the field is.')
  if (textOrNull(contentType) !== null) notes.add(place, 'The type of a single field of a form is not carried over.')
  return { key: text(key), value: isFile ? '' : text(value), enabled, type: isFile ? 'file' : 'text' }
}

/** A form as it is sent: its fields, and as a text with its type where no fields would be sent as that. */
export function sentForm(body: string, headers: readonly KeyValue[]): TypedBody {
  if (isEncoded(body) && rawBody(body, undefined).bodyType !== 'json') {
    const rows = queryRows(body).map(({ key, value }): FormRow => {
      return { key: decodedText(key), value: decodedText(value), enabled: true, type: 'text' }
    })
    return formBody('urlencoded', rows)
  }
  const type = { key: 'Content-Type', value: 'application/x-www-form-urlencoded', enabled: true }
  return { bodyType: 'text', body, headers: headerOf(headers, 'content-type') === undefined ? [type] : [] }
}

/** True for a text in which every percent sign begins a character of UTF-8. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A question to GraphQL with its variables, as clients send it. */
export function graphqlBody(value: unknown, place: string, notes: Notes): Body {
  const { query, operationName, variables } = fields(value)
  const named = text(operationName) === '' ? {} : { operationName }
  notes.add(place, 'A GraphQL body is kept as the JSON that is sent.')
  return {
    bodyType: 'json',
    body: writtenJson({ query: text(query), ...named, variables: parsed(text(variables)) })
  }
}

function parsed(json: string): unknown {
  try {
    return readJson(json)
  } catch {
    return json === '' ? {} : json
  }
}
