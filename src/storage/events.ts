import type { Head, LinkedHeader, LinkedType, StoredEvent } from '../log/event.js'

/** What a row or a document holds, by the names of its fields: each is looked at when it is read. */
type Raw = Readonly<Record<string, unknown>>

/** An event from what is stored of it. */
export function toEvent(raw: Raw): StoredEvent {
  return {
    ...envelopeOf(raw),
    who: { text: maybe(raw.who), salt: maybe(raw.whoSalt), commitment: String(raw.whoCommitment) },
    payload: { text: maybe(raw.payload), salt: maybe(raw.payloadSalt), commitment: String(raw.payloadCommitment) }
  }
}

/** An event without its texts, from what is stored of it. */
export function toHeader(raw: Raw, payloadErased: boolean): LinkedHeader {
  return { ...envelopeOf(raw), whoErased: raw.whoSalt === null, payloadErased }
}

/** What an event is about and its chain, from what is stored of it. */
export function toType({ position, stream, type, chain }: Raw): LinkedType {
  return { position: Number(position), stream: String(stream), type: String(type), chain: String(chain) }
}

function envelopeOf(raw: Raw): Omit<StoredEvent, 'who' | 'payload'> {
  return {
    position: Number(raw.position),
    stream: String(raw.stream),
    version: Number(raw.version),
    type: String(raw.type),
    schema: Number(raw.schema),
    at: String(raw.at),
    commandId: String(raw.commandId),
    actorId: String(raw.actorId),
    tokenId: maybe(raw.tokenId),
    requestId: maybe(raw.requestId),
    correlationId: maybe(raw.correlationId),
    causation: raw.causation === null ? null : Number(raw.causation),
    chain: String(raw.chain)
  }
}

const maybe = (value: unknown) => (value === null || value === undefined ? null : String(value))

/** The head from what is stored of it. */
export function toHead({ position, chain, at, generation, seal, writtenUnder, clock }: Raw): Head {
  return {
    position: Number(position),
    chain: String(chain),
    at: String(at),
    generation: Number(generation),
    ...(typeof seal === 'string' && { seal }),
    ...(typeof writtenUnder === 'string' && { writtenUnder }),
    ...(clock != null && { clock_ms: Number(clock) })
  }
}
