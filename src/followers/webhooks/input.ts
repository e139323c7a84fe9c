import { z } from 'zod'
import { id, storable } from '../../../commands/content.js'
import { codec, STREAM_KINDS } from '../../../commands/index.js'
import { boundedText, LIMITS, listOf } from '../../limits.js'

const URL_WRONG = 'url must be an http or https URL without user name, password and fragment.'
const KIND_UNKNOWN = 'kinds must name kinds of things that change, such as request.'
const TYPE_UNKNOWN = 'types must name types of change, such as RequestUpdated.'
const unique = <T>(all: readonly T[]): T[] => [...new Set(all)]

const url = boundedText(LIMITS.webhookUrl)
  .refine(isTarget, { error: URL_WRONG, abort: true })
  .transform((value) => new URL(value).href)
  // What is no ASCII is longer as it is kept, and is sent back so.
  .pipe(boundedText(LIMITS.webhookUrl))
/** The kinds of things that change. */
export const webhookKind = z.enum([...STREAM_KINDS], KIND_UNKNOWN)
const kinds = listOf(webhookKind, LIMITS.webhookFilter)
const types = listOf(
  boundedText(LIMITS.label).refine((type) => codec.knows(type), TYPE_UNKNOWN),
  LIMITS.webhookFilter
)

/** What somebody says of a subscription; whether they may is for the decision. */
export const webhookInput = z.object({
  url: url.describe('Where changes are sent: an http or https URL without user name, password and fragment.'),
  kinds: kinds
    .default([])
    .transform(unique)
    .describe('The kinds of things whose changes are sent; empty for all of them.'),
  types: types
    .default([])
    .transform(unique)
    .describe('The types of change that are sent, such as `RequestUpdated`; empty for all of them.'),
  collectionId: id
    .nullish()
    .transform((value) => value ?? null)
    .describe(
      'The id of the collection whose changes are sent. Administrators may leave it out, for those of the whole hub.'
    ),
  description: boundedText(LIMITS.webhookDescription)
    .refine(storable, 'description must not contain NUL or broken characters.')
    .default('')
    .describe('A note for people.')
})

/** Credentials in a URL would be shown wherever the URL is. */
function isTarget(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === ''
}
