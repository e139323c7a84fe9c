import type { EventHeader, Head, LinkedHeader, ReplayEvent, StoredEvent } from '../../log/event.js'
import type { Parameter, RawRow } from './dialect.js'

/** The values of an event's row, in the order of the log's columns. */
export function toRow(e: StoredEvent): readonly Parameter[] {
  return [
    e.position,
    e.stream,
    e.version,
    e.type,
    e.schema,
    e.at,
    e.commandId,
    e.actorId,
    e.tokenId,
    e.requestId,
    e.correlationId,
    e.causation,
    e.who.text,
    e.who.salt,
    e.who.commitment,
    e.payload.text,
    e.payload.salt,
    e.payload.commitment,
    e.chain
  ]
}

/** An event from its row. */
export function toEvent(raw: RawRow): StoredEvent {
  return {
    ...envelopeOf(raw),
    chain: String(raw.chain),
    who: { text: maybe(raw.who), salt: maybe(raw.who_salt), commitment: String(raw.who_commitment) },
    payload: { text: maybe(raw.payload), salt: maybe(raw.payload_salt), commitment: String(raw.payload_commitment) }
  }
}

/** An event without its texts, from its row. */
export function toHeader(raw: RawRow): EventHeader {
  return { ...envelopeOf(raw), whoErased: raw.who_salt === null, payloadErased: Number(raw.payload_erased) === 1 }
}

/** An event without its texts but with its chain, from its row. */
export function toLinkedHeader(raw: RawRow): LinkedHeader {
  return { ...toHeader(raw), chain: String(raw.chain) }
}

function envelopeOf(raw: RawRow): Omit<StoredEvent, 'who' | 'payload' | 'chain'> {
  return {
    ...placeOf(raw),
    commandId: String(raw.command_id),
    tokenId: maybe(raw.token_id),
    requestId: maybe(raw.request_id),
    correlationId: maybe(raw.correlation_id),
    causation: raw.causation === null ? null : Number(raw.causation)
  }
}

const maybe = (value: unknown) => (value === null ? null : String(value))

/** What a replay needs of an event, from its row. */
export function toReplayEvent(raw: RawRow): ReplayEvent {
  return { ...placeOf(raw), payload: { text: maybe(raw.payload) } }
}

/** Where an event stands, what it is, and by whom. */
function placeOf(raw: RawRow): Omit<ReplayEvent, 'payload'> {
  return {
    position: Number(raw.position),
    stream: String(raw.stream),
    version: Number(raw.version),
    type: String(raw.type),
    schema: Number(raw.schema_version),
    at: String(raw.at),
    actorId: String(raw.actor_id)
  }
}

/** The head from its row. */
export function toHead(raw: RawRow): Head {
  return {
    position: Number(raw.position),
    chain: String(raw.chain),
    at: String(raw.at),
    generation: Number(raw.generation),
    ...(typeof raw.seal === 'string' && { seal: raw.seal }),
    ...(typeof raw.written_under === 'string' && { writtenUnder: raw.written_under })
  }
}
