import type { Head, LinkedHeader, StoredEvent } from '../../log/event.js'
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
    e.chain,
    e.who.text,
    e.who.salt,
    e.who.commitment,
    e.payload.text,
    e.payload.salt,
    e.payload.commitment
  ]
}

/** An event from its row. */
export function toEvent(raw: RawRow): StoredEvent {
  return {
    ...envelopeOf(raw),
    who: { text: maybe(raw.who), salt: maybe(raw.who_salt), commitment: String(raw.who_commitment) },
    payload: { text: maybe(raw.payload), salt: maybe(raw.payload_salt), commitment: String(raw.payload_commitment) }
  }
}

/** An event without its texts, from its row. */
export function toHeader(raw: RawRow): LinkedHeader {
  return { ...envelopeOf(raw), whoErased: raw.who_salt === null, payloadErased: Number(raw.payload_erased) === 1 }
}

function envelopeOf(raw: RawRow): Omit<StoredEvent, 'who' | 'payload'> {
  return {
    position: Number(raw.position),
    stream: String(raw.stream),
    version: Number(raw.version),
    type: String(raw.type),
    schema: Number(raw.schema_version),
    at: String(raw.at),
    commandId: String(raw.command_id),
    actorId: String(raw.actor_id),
    tokenId: maybe(raw.token_id),
    requestId: maybe(raw.request_id),
    correlationId: maybe(raw.correlation_id),
    causation: raw.causation === null ? null : Number(raw.causation),
    chain: String(raw.chain)
  }
}

const maybe = (value: unknown) => (value === null ? null : String(value))

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
