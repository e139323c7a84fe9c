import { LIMITS } from '../../limits.js'
import type { LinkedHeader, StoredEvent } from '../../log/event.js'
import { addressIn } from '../search.js'
import type { Answer, Client, Document } from './client.js'
import { HAS_DEFERRED } from './deferred.js'
import { EVENTS, eventId } from './layout.js'
import { INLINE_BYTES_MAX, partsOf, textsFromParts } from './parts.js'
import { indexable, integerOf, mapOf, textOf, textsOf } from './values.js'
import type { Write } from './writes.js'

// An event is a document named by its stream and version, so that no version is there twice; by `position` the log is read in
// order. What it is searched by stands with it in clear: also the address, which an erasure takes away with the rest of `who`.

const WHO_BYTES_MAX = 100_000
const PAYLOAD_BYTES_MAX = INLINE_BYTES_MAX - WHO_BYTES_MAX

/** The documents of an event in the log below `parent`. Those of a commit that defers changes are marked. */
export async function eventWrites(parent: string, event: StoredEvent, isDeferring: boolean): Promise<readonly Write[]> {
  const { who, payload, ...envelope } = event
  const address = addressIn(who.text)
  const parts: Record<string, readonly string[]> = {}
  const writes: Write[] = []
  /** The text itself, or nothing where it is put into parts. */
  const inline = async (name: string, text: string | null, bytesMax: number) => {
    if (text === null || Buffer.byteLength(text) <= bytesMax) return { [name]: text }
    const made = await partsOf(parent, text)
    parts[name] = made.ids
    writes.push(...made.writes)
    return {}
  }
  const texts = {
    ...(await inline('who', who.text, WHO_BYTES_MAX)),
    ...(await inline('payload', payload.text, PAYLOAD_BYTES_MAX))
  }
  const fields = {
    ...envelope,
    ...texts,
    bytes: Buffer.byteLength(payload.text ?? ''),
    whoSalt: who.salt,
    whoCommitment: who.commitment,
    payloadSalt: payload.salt,
    payloadCommitment: payload.commitment,
    ...(address !== null && { address: indexable(address) }),
    ...(Object.keys(parts).length > 0 && { parts }),
    ...(isDeferring && HAS_DEFERRED)
  }
  return [{ create: `${parent}/${EVENTS}/${eventId(event.stream, event.version)}`, fields }, ...writes]
}

/** How many bytes the payload has of the event that a document is. */
export function payloadBytes({ fields }: Document): number {
  return integerOf(fields.bytes) ?? LIMITS.text.max
}

/** The events in an answer, with what of them is in parts. */
export async function eventsOf(
  client: Client,
  parent: string,
  { documents, readTime }: Pick<Answer, 'documents' | 'readTime'>
) {
  const spilled = documents.flatMap(({ path, fields }) =>
    Object.entries(mapOf(fields.parts)).map(([name, ids]) => ({ key: `${path} ${name}`, ids: textsOf(ids) }))
  )
  const ids = spilled.map((one) => one.ids)
  const found = spilled.length === 0 ? [] : await textsFromParts(client, parent, ids, readTime)
  const texts = new Map(spilled.map(({ key }, i) => [key, found[i] ?? '']))
  return documents.map((document) => toEvent(document, texts))
}

function toEvent(document: Document, texts: ReadonlyMap<string, string>): StoredEvent {
  const { path, fields } = document
  const sealed = (field: 'who' | 'payload') => ({
    text: texts.get(`${path} ${field}`) ?? textOf(fields[field]),
    salt: textOf(fields[`${field}Salt`]),
    commitment: textOf(fields[`${field}Commitment`]) ?? ''
  })
  return { ...envelopeOf(document), who: sealed('who'), payload: sealed('payload') }
}

/** The fields that a header is made of. */
export const HEADER_FIELDS = [
  ...['position', 'stream', 'version', 'type', 'schema', 'at', 'commandId', 'actorId', 'tokenId', 'requestId'],
  ...['correlationId', 'causation', 'chain', 'whoSalt', 'payloadSalt', 'bytes', ...Object.keys(HAS_DEFERRED)]
]

/** An event without its texts. */
export function toHeader(document: Document): LinkedHeader {
  const { whoSalt, payloadSalt, bytes } = document.fields
  // Something may have been left in its place.
  const payloadErased = textOf(payloadSalt) === null && integerOf(bytes) === 0
  return { ...envelopeOf(document), whoErased: textOf(whoSalt) === null, payloadErased }
}

function envelopeOf({ fields }: Document): Omit<StoredEvent, 'who' | 'payload'> {
  const text = (field: string) => textOf(fields[field]) ?? ''
  const maybe = (field: string) => textOf(fields[field])
  const integer = (field: string) => integerOf(fields[field]) ?? 0
  return {
    position: integer('position'),
    stream: text('stream'),
    version: integer('version'),
    type: text('type'),
    schema: integer('schema'),
    at: text('at'),
    commandId: text('commandId'),
    actorId: text('actorId'),
    tokenId: maybe('tokenId'),
    requestId: maybe('requestId'),
    correlationId: maybe('correlationId'),
    causation: integerOf(fields.causation),
    chain: text('chain')
  }
}
