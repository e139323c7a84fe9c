import { z } from 'zod'
import { errors } from '../errors.js'
import { markOf } from '../lib/mark.js'
import { nextTurn } from '../lib/turns.js'
import { boundedText, fitting, LIMITS } from '../limits.js'

/** Where a list or a record goes on, for arguments of tools: what an earlier answer gave as `next`. */
export const cursor = boundedText(LIMITS.label).optional().describe('Where to go on: `next` of the answer before')

/** How many items of a list an answer has at most. */
export const limitOf = (most: number, usual: number) =>
  z.int().min(1).max(most).default(usual).describe(`How many at most: 1 to ${most}, ${usual} by default`)

/** For answers: where it goes on; null at the end. */
export const next = z.string().nullable().describe('Send it as `cursor` to go on; null at the end')

/** The beginning of a text, without half a character at its end. */
export function start(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

/** What the items of an answer, or a record in it, may take: beside them there is where it goes on, and little else. */
const ROOM = { max: LIMITS.agentAnswer.max - 1024 }

/** The first of these items, as many as fit into an answer. */
export function fittingItems<T>(items: readonly T[]): readonly T[] {
  return fitting(items, ROOM, (item) => Buffer.byteLength(JSON.stringify(item)) + 1)
}

const inList = z.tuple([z.string(), z.string(), z.int().min(0)])
const inRecord = z.tuple([z.string(), z.int().min(0)])

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/**
 * The page of an ordered list behind a cursor, which is of this list and no other, as `named` says which it is: `limit` items at
 * most, and no more than an answer holds. It begins behind the item that was last on the page before, or where that is gone at its
 * place, so that changes meanwhile repeat or leave out little. `shown` makes what is told of some items, of all or of the first of them.
 */
export async function listPage<I extends { readonly id: string }, T extends { readonly id: string }>(
  named: readonly (string | undefined)[],
  all: readonly I[],
  limit: number,
  after: string | undefined,
  shown: (items: readonly I[]) => readonly T[] | Promise<readonly T[]>
): Promise<Page<T>> {
  const mark = markOf(...named)
  const [of, afterId, place] = after === undefined ? [mark, '', 0] : read(inList, after)
  if (of !== mark) throw errors.cursorUnknown()
  const from = place === 0 ? 0 : startOf(all, afterId, place)
  const wanted = all.slice(from, from + limit)
  const items = fittingItems(await shown(wanted))
  const last = items.at(-1)
  // Of a page without its end nobody would know where it goes on; what is gone since is passed over.
  const end = last ? wanted.findIndex(({ id }) => id === last.id) + 1 : wanted.length
  const at = from + end
  const lastId = wanted[end - 1]?.id
  return { items, next: at < all.length && lastId !== undefined ? written([mark, lastId, at]) : null }
}

function startOf(all: readonly { readonly id: string }[], lastId: string, at: number): number {
  const index = all[at - 1]?.id === lastId ? at - 1 : all.findIndex(({ id }) => id === lastId)
  return index < 0 ? at : index + 1
}

/** A record that fits into an answer, or else a part of its JSON text. */
export type RecordPart =
  | { readonly record: Readonly<Record<string, unknown>>; readonly next: null }
  | { readonly part: string; readonly next: string | null }

// A unit takes three bytes at most, and a quote or backslash two where the text is told inside another one.
const PART_LENGTH = LIMITS.agentAnswer.max / 4
const record = z.record(z.string(), z.unknown())

/**
 * The record in this state, or the part of it behind a cursor. 412 where the record has changed since the cursor was given, or its
 * siblings have moved it: the parts would not belong together.
 */
export async function recordPart(shown: unknown, state: string, after: string | undefined): Promise<RecordPart> {
  const text = JSON.stringify(shown)
  if (after === undefined && Buffer.byteLength(text) <= ROOM.max) return { record: record.parse(shown), next: null }
  await nextTurn()
  const [of, from] = after === undefined ? [state, 0] : read(inRecord, after)
  if (of !== state) throw errors.changed()
  const end = wholeCharacters(text, from + PART_LENGTH)
  const part = text.slice(from, end)
  return { part, next: end < text.length ? written([state, end]) : null }
}

/** The end itself, or the one before it where it would take a character apart. */
function wholeCharacters(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end
}

function written(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function read<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw errors.cursorUnknown()
  }
}
