import type { StoredEvent } from '../../log/event.js'
import type { Client } from './client.js'
import { EVENTS, eventId } from './layout.js'
import { INLINE_BYTES_MAX, partsOf, textsFromParts } from './parts.js'
import { SWEEPING } from './sweeps.js'
import { encode, encodeTexts, type Fields, integerOf, mapOf, textOf, textsOf } from './values.js'
import type { Answer, Document } from './wire.js'
import type { Write } from './writes.js'

// An event is a document named by its stream and version, so that no version is there twice; by `position`, the only one
// of its fields that has an index, the log is read in order.

const WHO_BYTES_MAX = 100_000

/** The documents of an event in the log below `parent`. Those of a commit that `leavesSweeps` are marked. */
export async function eventWrites(
  parent: string,
  event: StoredEvent,
  leavesSweeps: boolean
): Promise<readonly Write[]> {
  const { who, payload, ...envelope } = event
  const fields: Fields = {}
  for (const [name, value] of Object.entries(envelope)) fields[name] = encode(value)
  if (leavesSweeps) Object.assign(fields, SWEEPING)
  const parts: Fields = {}
  const writes: Write[] = []
  for (const [name, sealed, bytesMax] of [
    ['who', who, WHO_BYTES_MAX],
    ['payload', payload, INLINE_BYTES_MAX - WHO_BYTES_MAX]
  ] as const) {
    fields[`${name}Salt`] = encode(sealed.salt)
    fields[`${name}Commitment`] = encode(sealed.commitment)
    if (sealed.text !== null && Buffer.byteLength(sealed.text) > bytesMax) {
      const made = await partsOf(parent, sealed.text)
      parts[name] = encodeTexts(made.ids)
      writes.push(...made.writes)
    } else {
      fields[name] = encode(sealed.text)
    }
  }
  if (Object.keys(parts).length > 0) fields.parts = { mapValue: { fields: parts } }
  const name = `${parent}/${EVENTS}/${eventId(event.stream, event.version)}`
  return [{ set: name, fields, only: { exists: false } }, ...writes]
}

/** Events with a position above `after`, ascending, as their documents. */
export function askLog(client: Client, parent: string, after: number, limit: number): Promise<Answer> {
  const where = [{ field: 'position', above: after }]
  return client.query(parent, { collection: EVENTS, where, order: ['position'], limit })
}

/** Events of a stream with a version above `after`, ascending, as their documents. */
export function askStream(client: Client, parent: string, stream: string, after: number, limit: number) {
  const name = (version: number) => `${parent}/${EVENTS}/${eventId(stream, version)}`
  const from = { name: name(after + 1), inclusive: true }
  return client.query(parent, { collection: EVENTS, from, to: name(Number.MAX_SAFE_INTEGER), limit })
}

/** The events in an answer, with what of them is in parts. */
export async function eventsOf(client: Client, parent: string, { documents, readTime }: Answer) {
  const spilled = documents.flatMap((document) =>
    Object.entries(mapOf(document.fields.parts)).map(([name, ids]) => ({ key: `${document.name} ${name}`, ids }))
  )
  const ids = spilled.map((one) => textsOf(one.ids))
  const found = spilled.length === 0 ? [] : await textsFromParts(client, parent, ids, readTime)
  const texts = new Map(spilled.map(({ key }, i) => [key, found[i] ?? '']))
  return documents.map((document) => toEvent(document, texts))
}

function toEvent({ name, fields }: Document, texts: ReadonlyMap<string, string>): StoredEvent {
  const text = (field: string) => textOf(fields[field]) ?? ''
  const maybe = (field: string) => textOf(fields[field])
  const integer = (field: string) => integerOf(fields[field]) ?? 0
  const sealed = (field: 'who' | 'payload') => ({
    text: texts.get(`${name} ${field}`) ?? maybe(field),
    salt: maybe(`${field}Salt`),
    commitment: text(`${field}Commitment`)
  })
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
    who: sealed('who'),
    payload: sealed('payload'),
    chain: text('chain')
  }
}
