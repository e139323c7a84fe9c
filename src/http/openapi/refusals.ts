import { z } from 'zod'
import type { DescribedRoute } from './description.js'
import { named } from './names.js'

/** A refusal as problem details (RFC 9457), with everything that is wrong with the fields of the request. */
export const problem = named(
  'Problem',
  'A refusal as problem details (RFC 9457), where `Accept` prefers them.',
  z.looseObject({
    type: z.string().describe('`/problems/` and the code of the refusal, which never changes.'),
    title: z.string().describe('The code in words.'),
    status: z.int().describe('The status.'),
    detail: z.string().describe('Why, as a text for people.'),
    instance: z.string().optional().describe('The id of the request, as in `X-Request-Id`.'),
    error: z.string().describe('The same as `detail`.'),
    errors: z
      .array(
        z.object({
          in: z.enum(['params', 'body', 'query']).describe('Which part of the request is wrong.'),
          path: z
            .string()
            .describe('The keys that lead to the field, with dots between them; empty for the part as a whole.'),
          message: z.string().describe('What is wrong with it, as a text for people.')
        })
      )
      .optional()
      .describe('Everything that is wrong with fields of the request; missing where it is something else.')
  })
)

/** A way to be refused: its name among the components, what it means, a text, and whether the answer says when to try again. */
export interface Refusal {
  readonly name: string
  readonly means: string
  /** What such a refusal says, for example. */
  readonly says: string
  readonly isForNow?: true
}

/** Every status that a refusal can have. */
export const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: {
    name: 'BadRequest',
    means: 'The request is not valid. The text says which part of it.',
    says: 'Name must not be empty.'
  },
  401: {
    name: 'Unauthorized',
    means: 'There is no token, or it is unknown or revoked.',
    says: 'Unauthorized'
  },
  402: {
    name: 'LimitReached',
    means: 'The monthly limit of tokens is reached.',
    says: 'Monthly LLM token limit reached. Try again next month or contact your administrator.'
  },
  403: {
    name: 'Forbidden',
    means: 'The account may not do this, or not to this record; or the record is locked.',
    says: 'Forbidden'
  },
  404: { name: 'NotFound', means: 'There is no such record.', says: 'Collection not found' },
  405: {
    name: 'MethodNotAllowed',
    means: 'The path takes other methods: see Allow.',
    says: 'Send MCP messages to this address with POST: it keeps no sessions and streams nothing.'
  },
  409: {
    name: 'Conflict',
    means: 'What is there does not allow it; or it was done before under this key and its secret is told once.',
    says: 'Collection is not deleted.'
  },
  410: {
    name: 'Gone',
    means:
      'What was answered before is erased, the invitation is over, or the log went back since the place that is gone on from.',
    says: 'This was done already under this Idempotency-Key, and what it answered is erased since.'
  },
  412: {
    name: 'Changed',
    means: 'The record has changed since the entity tag in If-Match was read.',
    says: 'This record has changed since it was read. Read it again, then repeat the change.'
  },
  413: {
    name: 'TooLarge',
    means: 'The body, or the change that it asks for, is too large.',
    says: 'The request body is larger than 65536 bytes.'
  },
  414: {
    name: 'IdTooLong',
    means: 'A part of the URL is too long to be an id.',
    says: 'A part of the URL is too long to be an id.'
  },
  415: {
    name: 'NotJson',
    means: 'The body is not application/json.',
    says: 'Unsupported content type. Send application/json.'
  },
  422: {
    name: 'KeyUsed',
    means: 'The Idempotency-Key was used for a request with another body.',
    says: 'This Idempotency-Key was used for a request with another body in the last 24 hours. Choose a new key for this one.'
  },
  429: {
    name: 'TooManyRequests',
    means: 'Too many failed authentications, or too many streams.',
    says: 'Too Many Requests',
    isForNow: true
  },
  502: {
    name: 'ProviderFailed',
    means: 'The provider of the model refuses; somebody has to change something.',
    says: 'The provider refuses the key of the hub.'
  },
  503: {
    name: 'Unavailable',
    means: 'The hub cannot answer now, or what is asked for is not configured.',
    says: 'The hub is busy. Try again in a moment.',
    isForNow: true
  },
  504: {
    name: 'ProviderLate',
    means: 'The provider of the model took too long.',
    says: 'The provider did not answer in time.'
  }
}

/** The statuses with which a route refuses, in their order. */
export function refusalsOf({ method, input, description }: DescribedRoute): readonly number[] {
  const { access, takesKey, takesIfMatch, resumes, refuses = [] } = description
  const isChange = method !== 'GET'
  const statuses = new Set(refuses)
  const add = (isSo: boolean, ...more: readonly number[]) => {
    if (isSo) for (const status of more) statuses.add(status)
  }
  add(isChange, 400, 413, 415)
  add(input.query !== undefined || input.params !== undefined, 400)
  add(input.params !== undefined, 404, 414)
  // 400 also for a tenant that is none.
  add(access.who !== 'public', 400, 401, 429, 503)
  // 403 also for a page of another address that would change something with the session of a browser.
  add(access.who !== 'public' && (isChange || access.who !== 'any' || access.needs !== 'none'), 403)
  add(resumes === true, 410)
  add(takesIfMatch === true, 412)
  add(takesKey === true, 410, 422)
  return [...statuses].sort((a, b) => a - b)
}
