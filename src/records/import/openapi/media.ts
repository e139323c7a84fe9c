import { type FormRow, formBody } from '../../formats/body.js'
import type { Example } from '../../formats/examples.js'
import { writtenJson } from '../../formats/json.js'
import type { KeyValue, Notes, RequestFields } from '../../formats/model.js'
import { type Fields, fields, list, text } from '../loose.js'
import type { References } from './refs.js'
import { givenIn, sampleOf } from './sample.js'

/** Bodies of operations and of their answers, of both versions. */

interface Body extends Pick<RequestFields, 'body' | 'bodyType'> {
  readonly headers: readonly KeyValue[]
}

const NONE: Body = { bodyType: 'none', body: '', headers: [] }

/** The body that an operation sends, of the first type that requests can have. */
export function bodyOf(
  operation: Fields,
  parameters: readonly Fields[],
  document: Fields,
  references: References,
  place: string,
  notes: Notes
): Body {
  const body = references.resolve(operation.requestBody)
  const content = 'requestBody' in operation ? fields(body.content) : legacyContent(operation, parameters, document)
  const types = Object.keys(content)
  if (types.length === 0) return NONE
  const type = types.find((one) => /[/+]json\b/i.test(one)) ?? types.find((one) => FORMS.test(one)) ?? types[0] ?? ''
  if (types.length > 1) notes.add(place, 'Of several types of body one is carried over.')
  const media = fields(content[type])
  if (FORMS.test(type)) return formOf(type, media, references)
  const value = exampleIn(media, references) ?? sampleOf(media.schema, references)
  const isJson = /[/+]json\b/i.test(type)
  const isPlain = /^application\/json\b/i.test(type)
  const headers = isPlain ? [] : [{ key: 'Content-Type', value: type, enabled: true }]
  if (isJson) return { bodyType: 'json', body: writtenJson(value, 2), headers }
  // A schema tells nothing of how a value is written in another type.
  return typeof value === 'string' && value !== ''
    ? { bodyType: 'text', body: value, headers }
    : { bodyType: 'none', body: '', headers }
}

const FORMS = /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i

/** Swagger 2 has the body among the parameters, and the type beside it. */
function legacyContent(operation: Fields, parameters: readonly Fields[], document: Fields): Fields {
  const consumes = list(operation.consumes ?? document.consumes).map(text)
  const body = parameters.find((one) => one.in === 'body')
  if (body)
    return { [consumes.find((one) => /json/i.test(one)) ?? consumes[0] ?? 'application/json']: { schema: body.schema } }
  const form = parameters.filter((one) => one.in === 'formData')
  if (form.length === 0) return {}
  const isMultipart = consumes.some((one) => one.startsWith('multipart/')) || form.some((one) => one.type === 'file')
  const properties = Object.fromEntries(
    form.map((one) => [text(one.name), one.type === 'file' ? { type: 'string', format: 'binary' } : one])
  )
  const required = form.filter((one) => one.required === true).map((one) => text(one.name))
  const type = isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  return { [type]: { schema: { type: 'object', properties, required } } }
}

function formOf(type: string, media: Fields, references: References): Body {
  const schema = references.resolve(media.schema)
  const properties = fields(schema.properties)
  const required = new Set(list(schema.required).map(text))
  const given = fields(exampleIn(media, references) ?? givenIn(schema))
  const names = [...new Set([...Object.keys(properties), ...Object.keys(given)])]
  const rows = names.map((key): FormRow => {
    const property = references.resolve(properties[key])
    const isFile = property.format === 'binary'
    const isGiven = Object.hasOwn(given, key)
    const value = (isGiven ? given[key] : null) ?? (isFile ? '' : sampleOf(property, references))
    const enabled = required.has(key) || required.size === 0 || isGiven
    return { key, value: isFile ? '' : text(value), enabled, type: isFile ? 'file' : 'text' }
  })
  return { ...formBody(type.startsWith('multipart') ? 'multipart' : 'urlencoded', rows), headers: [] }
}

function exampleIn(media: Fields, references: References): unknown {
  if (media.example !== undefined) return media.example
  const [first] = Object.values(fields(media.examples))
  return first === undefined ? undefined : references.resolve(first).value
}

/** The answers of an operation that the document shows examples of. */
export function examplesOf(operation: Fields, references: References): readonly Example[] {
  return Object.entries(fields(operation.responses)).flatMap(([code, value]) => {
    const response = references.resolve(value)
    const status = /^[1-5]\d\d$/.test(code) ? Number(code) : null
    if (status === null) return []
    const one = (type: string, name: string, body: unknown): Example => ({
      name,
      status,
      reason: '',
      headers: [{ key: 'Content-Type', value: type }],
      body: typeof body === 'string' ? body : writtenJson(body, 2)
    })
    const description = text(response.description).split('\n')[0] || code
    const legacy = Object.entries(fields(response.examples)).map(([type, body]) => one(type, description, body))
    const shown = Object.entries(fields(response.content)).flatMap(([type, media]) => {
      const { example, examples } = fields(media)
      if (example !== undefined) return [one(type, description, example)]
      return Object.entries(fields(examples)).flatMap(([key, entry]) => {
        const { summary, value: body } = references.resolve(entry)
        return body === undefined ? [] : [one(type, text(summary) || key, body)]
      })
    })
    return [...legacy, ...shown]
  })
}
