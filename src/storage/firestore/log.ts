import { LIMITS, slices } from '../../limits.js'
import type { LinkedHeader, StoredEvent } from '../../log/event.js'
import { toHeader as headerOf, toEvent } from '../events.js'
import { addressIn } from '../search.js'
import type { Erasure } from '../storage.js'
import type { Answer, Client } from './client.js'
import { type Document, indexable, integerOf, textOf, type Write } from './documents.js'
import { EVENTS, eventId } from './layout.js'
import { divided, INLINE_BYTES_MAX, PARTS_FIELD, wholeDocuments, withoutParts } from './parts.js'

// An event is a document named by its stream and version, so that no version is there twice; by `position` the log is read in
// order. What it is searched by stands with it in clear: also the address, which an erasure takes away with the rest of `who`.

/** What stands in the document itself. */
const TEXT_BYTES_MAX = { who: 100_000, payload: INLINE_BYTES_MAX - 100_000 }
/** So many texts are erased in one request. */
const ERASURES_MAX = 50

/** The documents of an event in the log below `parent`. */
export async function eventWrites(parent: string, event: StoredEvent): Promise<readonly Write[]> {
  const { who, payload, ...envelope } = event
  const address = addressIn(who.text)
  const { fields, writes } = await divided(
    parent,
    {
      ...envelope,
      who: who.text,
      whoSalt: who.salt,
      whoCommitment: who.commitment,
      payload: payload.text,
      payloadSalt: payload.salt,
      payloadCommitment: payload.commitment,
      bytes: Buffer.byteLength(payload.text ?? ''),
      ...(address !== null && { address: indexable(address) })
    },
    TEXT_BYTES_MAX
  )
  return [{ create: eventPath(parent, event), fields }, ...writes]
}

function eventPath(parent: string, { stream, version }: Pick<StoredEvent, 'stream' | 'version'>): string {
  return `${parent}/${EVENTS}/${eventId(stream, version)}`
}

/** How many bytes the payload has of the event that a document is. */
export function payloadBytes({ fields }: Document): number {
  return integerOf(fields.bytes) ?? LIMITS.text.max
}

/** The events in an answer, with what of them is in parts. */
export async function eventsOf(client: Client, parent: string, answer: Pick<Answer, 'documents' | 'readTime'>) {
  return (await wholeDocuments(client, parent, answer)).map(({ fields }) => toEvent(fields))
}

/** The fields that a header is made of. */
export const HEADER_FIELDS = [
  ...['position', 'stream', 'version', 'type', 'schema', 'at', 'commandId', 'actorId', 'tokenId', 'requestId'],
  ...['correlationId', 'causation', 'chain', 'whoSalt', 'payloadSalt', 'bytes']
]

/** An event without its texts. */
export function toHeader({ fields }: Document): LinkedHeader {
  // Something may have been left in its place.
  return headerOf(fields, textOf(fields.payloadSalt) === null && integerOf(fields.bytes) === 0)
}

/** Takes texts out of the events of the log below `parent`, with the parts that they were in. */
export async function eraseTexts(client: Client, parent: string, erasures: readonly Erasure[]): Promise<void> {
  for (const some of slices(erasures, ERASURES_MAX)) {
    const { documents } = await client.get([...new Set(some.map(({ event }) => eventPath(parent, event)))])
    const there = new Set(documents.map(({ path }) => path))
    // A document comes once in a commit: its two texts go one after the other.
    for (const part of ['who', 'payload'] as const) {
      const own = some.filter((one) => one.part === part && there.has(eventPath(parent, one.event)))
      if (own.length > 0) await client.commit(own.flatMap((one) => erased(client, parent, one)))
    }
  }
}

function erased(client: Client, parent: string, { event, part, text }: Erasure): readonly Write[] {
  const path = eventPath(parent, event)
  const partIds = client.partsOf(path).get(part) ?? []
  // What says something of the text goes with it.
  const told = part === 'who' ? { address: undefined } : { bytes: Buffer.byteLength(text ?? '') }
  const named = partIds.length > 0 && { [`${PARTS_FIELD}.${part}`]: undefined }
  const fields = { [part]: text, [`${part}Salt`]: null, ...told, ...named }
  return [{ update: path, fields }, ...withoutParts(parent, partIds)]
}
