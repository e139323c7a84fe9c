import { z } from 'zod'
import { errors, type Fault, type HubError } from '../errors.js'
import { LIMITS } from '../limits.js'

type Part = Fault['in']

/** The schemas of a route, of those parts of a request that it reads. */
interface Schemas<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType> {
  readonly params: P | undefined
  readonly body: B | undefined
  readonly query: Q | undefined
}

/** What a schema makes of a part of a request, or everything that is wrong with it. */
type Attempt<S extends z.ZodType> =
  | { readonly data: z.infer<S> }
  | { readonly refusal: HubError; readonly faults: readonly Fault[] }

/**
 * Parses with the schema, or refuses with a text that names the field. Not by fastify-type-provider-zod: it cannot type a request
 * whose schemas are type parameters, and what a route declares is enough to describe it (zod makes JSON Schema of all theirs but one).
 */
export function parse<S extends z.ZodType>(schema: S | undefined, value: unknown, part: Part): z.infer<S> {
  const attempt = attempted(schema, value, part)
  if ('data' in attempt) return attempt.data
  throw attempt.refusal.because(attempt.faults)
}

/**
 * Makes what parses the parts of requests of one route. Its refusal names the first field that is wrong, and tells the faults of
 * all parts. The schemas become code of their own when the first request comes: what that lets through needs no second look.
 */
export function partsParser<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType>(
  schemas: Schemas<P, B, Q>
): (request: Readonly<Record<Part, unknown>>) => {
  readonly params: z.infer<P>
  readonly body: z.infer<B>
  readonly query: z.infer<Q>
} {
  let compiled: Schemas<P, B, Q> | undefined
  return (request) => {
    compiled ??= {
      params: schemas.params && z.compile(schemas.params),
      body: schemas.body && z.compile(schemas.body),
      query: schemas.query && z.compile(schemas.query)
    }
    const params = attempted(compiled.params, request.params, 'params')
    const body = attempted(compiled.body, request.body, 'body')
    const query = attempted(compiled.query, request.query, 'query')
    if ('data' in params && 'data' in body && 'data' in query)
      return { params: params.data, body: body.data, query: query.data }
    const wrong = [params, body, query].flatMap((one) => ('refusal' in one ? [one] : []))
    const faults = wrong.flatMap((one) => one.faults).slice(0, LIMITS.faults.max)
    throw wrong[0]?.refusal.because(faults) ?? errors.badRequest()
  }
}

function attempted<S extends z.ZodType>(schema: S | undefined, value: unknown, part: Part): Attempt<S> {
  // A route without a schema has no such part: its type is undefined, and so is what it gets.
  if (!schema) return { data: undefined as z.infer<S> }
  const result = schema.safeParse(value)
  if (result.success) return { data: result.data }
  return { refusal: refusalOf(result.error, part), faults: faultsOf(result.error, part) }
}

function refusalOf({ issues: [issue] }: z.ZodError, part: Part): HubError {
  const path = issue?.path.join('.')
  if (issue?.code === 'unrecognized_keys') return errors.invalid(`${issue.message.slice(0, LIMITS.label.max)}.`)
  if (!issue || !path) return part === 'body' ? errors.bodyNoObject() : errors.partInvalid(part)
  const isSentence = issue.code === 'custom' || issue.message.endsWith('.')
  return isSentence ? errors.invalid(issue.message) : errors.fieldInvalid(path, issue.message)
}

function faultsOf({ issues }: z.ZodError, part: Part): readonly Fault[] {
  return issues.slice(0, LIMITS.faults.max).map(({ path, message }) => ({
    in: part,
    path: path.join('.').slice(0, LIMITS.label.max),
    message: message.slice(0, LIMITS.label.max)
  }))
}
