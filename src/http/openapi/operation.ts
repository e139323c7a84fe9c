import { z } from 'zod'
import type { Access } from '../access.js'
import { OWN_ANSWERS } from './answerExamples.js'
import type { Answer, Answers, DescribedRoute } from './description.js'
import { EXAMPLES } from './examples.js'
import { REFUSALS, refusalsOf } from './refusals.js'
import type { JsonSchema, Schemas } from './schemas.js'

/** A part of the document that nothing here looks into. */
type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

/** One operation of the document. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security?: readonly []
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
}

/** Headers that several operations take, by their names among the components. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    ...{ name: 'Idempotency-Key', in: 'header', required: false },
    description: 'Carries the request out once: whoever repeats it within 24 hours gets the answer of the first time.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' }
  },
  IfMatch: {
    ...{ name: 'If-Match', in: 'header', required: false },
    description: 'An entity tag: the change is made only while the record is the one that was read.',
    schema: { type: 'string' }
  },
  IfNoneMatch: {
    ...{ name: 'If-None-Match', in: 'header', required: false },
    description: 'An entity tag: 304 and no body where nothing has changed since.',
    schema: { type: 'string' }
  },
  LastEventId: {
    ...{ name: 'Last-Event-ID', in: 'header', required: false },
    description: 'The id of the last event that a client has: a stream goes on behind it.',
    schema: { type: 'string', pattern: '^\\d{1,15}(-\\d{1,15}-[0-9a-f]{12})?$' }
  }
} as const satisfies Readonly<Record<string, Parameter>>

/** Headers of answers, by their names among the components. */
export const ANSWER_HEADERS = {
  ETag: {
    description: 'The state of what is answered. A list of more than 2 MB may have none.',
    schema: { type: 'string' }
  },
  RetryAfter: { description: 'In how many seconds to try again.', schema: { type: 'integer', minimum: 0 } }
} as const

/** A path as OpenAPI writes it. */
export function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

/** What the document says of a route. */
export function operationOf(route: DescribedRoute, schemas: Schemas): Operation {
  const { operation: operationId, summary, tag, access } = route.description
  const parameters = parametersOf(route, schemas)
  return {
    operationId,
    summary,
    description: descriptionOf(route),
    tags: [tag],
    ...(access.who === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.input.body && { requestBody: bodyOf(route, schemas) }),
    responses: responsesOf(route, schemas)
  }
}

/** What each access means for who calls. */
const WHO: Readonly<Record<Access['who'], string>> = {
  user: 'Needs a token of a user; one of an administrator is taken where `client.adminDataApi` is on.',
  admin: 'Needs a token of an administrator.',
  any: 'Needs a token, of a user or an administrator.',
  account: 'Needs a token.',
  people: 'Needs a token of an administrator, of all or of accounts alone.',
  audit: 'Needs a token of an administrator or an auditor.',
  public: 'Needs no token.'
}

/** What is written of a route, and behind it what follows from how it is declared. */
function descriptionOf({ method, input, description }: DescribedRoute): string {
  const { about, access, tag, answers, isTagged, takesIfMatch, takesKey, ignoresKey } = description
  const isPaged = input.query instanceof z.ZodObject && 'fields' in input.query.shape
  const follows = [
    access.who === 'user' && tag === 'LLM' ? 'Needs a token of a user.' : WHO[access.who],
    scopeSentence(access),
    isPaged && 'Without `limit` and `cursor` the list comes whole.',
    takesIfMatch && 'With `If-Match` it changes only the state that was read, and is else refused with 412.',
    takesKey && `With an \`Idempotency-Key\` a repeat changes nothing, and ${repeated(answers)}.`,
    method === 'POST' && access.who !== 'public' && !takesKey && keyNotTaken(ignoresKey),
    isTagged && method === 'GET' && 'With `If-None-Match` the answer to who has it already is 304.'
  ]
  return `${about}\n\n${follows.filter(Boolean).join(' ')}`
}

function keyNotTaken(isIgnored: true | undefined): string {
  return isIgnored ? 'An `Idempotency-Key` is ignored.' : 'It takes no `Idempotency-Key`.'
}

/** What it takes of a token that is limited to scopes. */
function scopeSentence({ who, needs }: Access): string | false {
  if (who === 'public' || needs === 'none') return false
  return needs === 'all'
    ? 'No token that is limited to scopes will do.'
    : `A limited token needs the scope \`${needs}\`.`
}

function repeated(answers: Answers): string {
  const hasSecret = Object.values(answers).some((one) => one instanceof z.ZodObject && 'secret' in one.shape)
  return hasSecret ? 'is refused with 409: the secret is told once' : 'gets the answer of the first'
}

function parametersOf(
  { method, url, input, description }: DescribedRoute,
  schemas: Schemas
): Operation['parameters'] & {} {
  const { takesKey, takesIfMatch, isTagged, resumes } = description
  const header = (name: keyof typeof HEADER_PARAMETERS) => ({ $ref: `#/components/parameters/${name}` })
  return [
    ...fieldsOf(input.params, 'path', schemas).map((one) => ofPath(one, url)),
    ...fieldsOf(input.query, 'query', schemas),
    ...(takesKey ? [header('IdempotencyKey')] : []),
    ...(takesIfMatch ? [header('IfMatch')] : []),
    ...(isTagged && method === 'GET' ? [header('IfNoneMatch')] : []),
    ...(resumes ? [header('LastEventId')] : [])
  ]
}

function fieldsOf(schema: z.ZodType | undefined, place: 'path' | 'query', schemas: Schemas): readonly Parameter[] {
  if (!schema) return []
  if (!(schema instanceof z.ZodObject)) throw new Error(`The ${place} of a route must be an object.`)
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    ...parameterOf(schemas.of(field, 'input'))
  }))
}

/** The id in a path is that of what stands before it: `/live-servers/:id` has that of a live server. */
function ofPath(parameter: Parameter, url: string): Parameter {
  const [, before] = /([a-z-]+)s\/:id\b/.exec(url) ?? []
  if (parameter.name !== 'id' || before === undefined) return parameter
  return { ...parameter, description: `The id of the ${before.replace(/-key$/, '').replaceAll('-', ' ')}.` }
}

/** What a parameter is stands beside its schema. */
function parameterOf({ description, ...schema }: JsonSchema): Pick<Parameter, 'description' | 'schema'> {
  return { ...(description !== undefined && { description }), schema }
}

function bodyOf(route: DescribedRoute, schemas: Schemas): Json {
  const { input, limit_bytes } = route
  const { operation, summary, speaks } = route.description
  const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Body`
  const description = `What is sent to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}.`
  const example = EXAMPLES[operation]
  return {
    required: true,
    description: `JSON of at most ${limit_bytes.toLocaleString('en')} bytes.`,
    content: {
      [speaks?.contentType ?? 'application/json']: {
        schema: input.body && schemas.of(input.body, 'input', { name, description }),
        ...(example !== undefined && { example })
      }
    }
  }
}

function responsesOf(route: DescribedRoute, schemas: Schemas): Operation['responses'] {
  const { answers, isTagged, operation, speaks } = route.description
  const responses: Record<string, Json> = {}
  for (const status of refusalsOf(route)) {
    const refusal = REFUSALS[status]
    if (!refusal) throw new Error(`${status} is no status that a refusal can have.`)
    responses[status] = speaks
      ? { description: refusal.means, content: contentOf({ [speaks.contentType]: speaks.refusal }, schemas, false) }
      : { $ref: `#/components/responses/${refusal.name}` }
  }
  for (const [status, answer] of Object.entries(answers)) {
    responses[status] = {
      description: meaningOf(Number(status), answer),
      ...(isTagged && { headers: { ETag: { $ref: '#/components/headers/ETag' } } }),
      ...(answer && { content: contentOf(answer, schemas, Number(status) < 300 && OWN_ANSWERS[operation]) })
    }
  }
  if (isTagged && route.method === 'GET') responses[304] = { $ref: '#/components/responses/NotModified' }
  return responses
}

function meaningOf(status: number, answer: Answer | undefined): string {
  if (status === 302) return 'It is elsewhere: Location says where.'
  if (answer === null) return 'Done. There is no body.'
  return REFUSALS[status]?.means ?? 'What was asked for.'
}

/** Schemas by content type. */
export function formsOf(answer: NonNullable<Answer>): Readonly<Record<string, z.ZodType>> {
  return answer instanceof z.ZodType ? { 'application/json': answer } : answer
}

function contentOf(answer: NonNullable<Answer>, schemas: Schemas, example: unknown): Json {
  return Object.fromEntries(
    Object.entries(formsOf(answer)).map(([type, schema]) => [
      type,
      { schema: shownAs(type, schemas.of(schema, 'output')), ...(example ? { example } : {}) }
    ])
  )
}

/** A stream is a text to OpenAPI 3.1; what is in it is told beside. */
function shownAs(type: string, schema: JsonSchema): JsonSchema {
  switch (type) {
    case 'text/event-stream':
      return streamOf(
        'Server-sent events. The `data` of each is this, as JSON; comments keep the connection alive.',
        schema
      )
    case 'application/x-ndjson':
      return streamOf('Lines. Each is this, as JSON.', schema)
    default:
      return schema
  }
}

function streamOf(description: string, schema: JsonSchema): JsonSchema {
  return { type: 'string', description, contentMediaType: 'application/json', contentSchema: schema }
}
