import { z } from 'zod'

/** One bound of the hub: at most `max` of a unit. */
export interface Limit {
  readonly max: number
  readonly unit: 'bytes' | 'characters' | 'items' | 'levels' | 'ms' | 'calls'
  /** What is bounded, as `docs/limits.md` tells it. */
  readonly what: string
}

const KB = 1024
const MB = 1024 * KB

/**
 * Every bound that somebody outside can meet, in one place: what a request may bring, how large a page of anything is, what may
 * wait to be written or sent. `docs/limits.md` is written from this table, and errors tell its numbers.
 */
export const LIMITS = {
  anonymousBody: limit(4 * KB, 'bytes', 'the body of a request without a token'),
  body: limit(64 * KB, 'bytes', 'the body of a request, where it carries no content'),
  contentBody: limit(8 * MB, 'bytes', 'the body of a request with content; `server.bodyLimitMb` sets it'),
  jsonDepth: limit(64, 'levels', 'how deep JSON in a body may be nested'),
  jsonValues: limit(100_000, 'items', 'keys and list items of all objects and lists in a body together'),

  name: limit(500, 'characters', 'the name of anything'),
  rawName: limit(2000, 'characters', 'a name as it is sent, before it is brought into its composed form'),
  id: limit(64, 'characters', 'an id'),
  label: limit(500, 'characters', 'a label, a marker, a term that is searched for'),
  text: limit(8 * MB, 'characters', 'one text inside a record'),
  page: limit(
    4 * MB,
    'bytes',
    'one page of events or rows, as it is read or sent; a single larger one is a page of its own'
  ),
  changes: limit(10_000, 'items', 'the fields that a comparison of two versions lists'),
  entryChanges: limit(200, 'items', 'the fields, and the items of one list, that an audit entry lists'),
  entries: limit(32 * MB, 'bytes', 'the events that one page of audit entries is made from')
} as const satisfies Readonly<Record<string, Limit>>

/**
 * A text whose length is checked before anything else is done with it: what is too long is not looked at. The messages are for
 * what is no text at all, and for what is too long.
 */
export function boundedText({ max }: Limit, whenWrong?: string, whenLong = `Longer than ${max} characters`) {
  return z.string(whenWrong === undefined ? {} : { error: whenWrong }).max(max, { error: whenLong, abort: true })
}

function limit<const U extends Limit['unit']>(max: number, unit: U, what: string) {
  return { max, unit, what }
}
