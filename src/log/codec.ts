import { z } from 'zod'
import { canonical, canonicalJson } from './canonical.js'
import { type Cause, type DecodedEvent, type NewEvent, type ReplayEvent, type StoredEvent, subjectOf } from './event.js'

/** Knows every type of event ever written. */
export interface EventCodec {
  /** The schema version that new events of a type are written in. */
  schemaOf(type: string): number
  /** False for a type that this version does not know. */
  knows(type: string): boolean
  /** True for a type that is always the first of its stream. */
  begins(type: string): boolean
  /** The data in a payload's text, brought up to date from the schema version that it was written in. Throws on what it does not know. */
  decode(type: string, schema: number, json: string): unknown
  /** The data of a new event, from what its payload's text is parsed to: what `decode` makes of the text. */
  read(type: string, parsed: unknown): unknown
}

/** The type under which an event whose payload is erased is decoded: no projector knows it. */
const ERASED = 'Erased'

/** The event as projectors see it, its data brought up to date. Throws where its type or schema is unknown. */
export function decoded(event: ReplayEvent, codec: EventCodec): DecodedEvent {
  const { type, schema, stream, payload, position, version, at, actorId, tokenId } = event
  const subject = subjectOf(stream)
  if (payload.text === null) return { type: ERASED, subject, data: null, position, version, at, actorId, tokenId }
  const data = codec.decode(type, schema, payload.text)
  return { type, subject, data, position, version, at, actorId, tokenId }
}

/** What the log holds of a new event beside its place: its type, the schema version, and the payload's text, with what that is parsed to. */
export function encoded({ type, data }: Pick<NewEvent, 'type' | 'data'>, codec: EventCodec) {
  return { type, schema: codec.schemaOf(type), ...canonical(data) }
}

/** A new event as `decoded` has it, from what its payload's text is parsed to: nothing is parsed again that was just written. */
export function decodedAs(event: ReplayEvent, parsed: unknown, codec: EventCodec): DecodedEvent {
  const { type, stream, position, version, at, actorId, tokenId } = event
  return { type, subject: subjectOf(stream), data: codec.read(type, parsed), position, version, at, actorId, tokenId }
}

const who = z.object({
  name: z.string().nullable(),
  address: z.string().nullable(),
  operator: z.object({ user: z.string(), host: z.string(), command: z.string() }).optional(),
  searched: z.record(z.string(), z.string()).optional()
})

/** The name and the address behind an event, null where they are erased, who gave the command on the host, and which of others were searched for by it. */
export function decodedIdentity({ who: { text } }: Pick<StoredEvent, 'who'>): z.infer<typeof who> {
  return text === null ? { name: null, address: null } : who.parse(JSON.parse(text))
}

/** The text that is sealed as an event's `who`. */
export function encodedIdentity({ address, actorName: name, operator, searched = {} }: Cause): string {
  const more = Object.keys(searched).length > 0 && { searched }
  return canonicalJson({ address, name, ...(operator && { operator }), ...more })
}
