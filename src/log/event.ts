/** A text that can be erased later without breaking the chain: the chain holds only its salted commitment. */
export interface Sealed {
  readonly text: string | null
  readonly salt: string | null
  readonly commitment: string
}

/**
 * One entry of the log. `who` seals the actor's name and the client's address as `{"address","name"}`, with `operator` where
 * somebody gave a command on the host and `searched` where somebody looked for names or addresses of others; `payload` seals what happened; both are canonical JSON. `chain` binds this entry to all before it.
 */
export interface StoredEvent {
  readonly position: number
  readonly stream: string
  readonly version: number
  readonly type: string
  readonly schema: number
  readonly at: string
  readonly commandId: string
  readonly actorId: string
  readonly tokenId: string | null
  readonly requestId: string | null
  readonly correlationId: string | null
  readonly causation: number | null
  readonly who: Sealed
  readonly payload: Sealed
  readonly chain: string
}

/** An entry without its two texts: what a plan, an index or a reader of many entries holds of each. */
export type EventHeader = Omit<StoredEvent, 'who' | 'payload' | 'chain'> & {
  /** True where name and address were taken out of the log. */
  readonly whoErased: boolean
  /** True where the payload was taken out of the log and nothing was left in its place. */
  readonly payloadErased: boolean
}

/** An entry without its two texts but with its chain, for whoever has to know where the log ends. */
export type LinkedHeader = EventHeader & Pick<StoredEvent, 'chain'>

/** What an event is about, and the chain behind it. */
export type LinkedType = Pick<StoredEvent, 'position' | 'stream' | 'type' | 'chain'>

/** What a replay needs of an entry: what happened, and where. */
export type ReplayEvent = Pick<
  StoredEvent,
  'position' | 'stream' | 'version' | 'type' | 'schema' | 'at' | 'actorId' | 'tokenId'
> & {
  readonly payload: Pick<Sealed, 'text'>
}

/** Where the log ends. `generation` names the read tables that are live. */
export interface Head {
  readonly position: number
  readonly chain: string
  readonly at: string
  readonly generation: number
  /** What the holder of the chain's key says of all of this; absent where the chain is not sealed with a key. */
  readonly seal?: string | undefined
  /** The schema and the versions of the projectors that it is written under; absent where nobody has named them yet. */
  readonly writtenUnder?: string | undefined
  /** What the database's own clock said when the head was locked; absent where it has none, and where nobody has locked it. */
  readonly clock_ms?: number
}

/** What a decision says has happened, before it has a place in the log. */
export interface NewEvent {
  readonly stream: string
  readonly type: string
  readonly data: unknown
  /** The version of its stream that it follows, where whoever emits it knows; it is looked up otherwise. */
  readonly follows?: number
  /** True where its stream may be there, though an event of its type begins one otherwise. */
  readonly mayFollow?: true
}

/** An event with its place in the log and its data parsed: what projectors see. `subject` is the id in the stream's name. */
export interface DecodedEvent<Type extends string = string, Data = unknown> {
  readonly type: Type
  readonly subject: string
  readonly data: Data
  readonly position: number
  readonly version: number
  readonly at: string
  readonly actorId: string
  readonly tokenId: string | null
}

/** Who gave a command on the host: its words without what was given to them, and by whom and where. */
export interface Operator {
  readonly user: string
  readonly host: string
  readonly command: string
}

/** Who caused a command, and through which request. */
export interface Cause {
  readonly actorId: string
  readonly actorName: string
  readonly tokenId: string | null
  readonly address: string | null
  readonly requestId: string | null
  /** The position of the event that this one takes back or repeats, if any. */
  readonly causation?: number | undefined
  /** Who gave the command on the host, where somebody did: sealed with the actor's name. */
  readonly operator?: Operator | undefined
  /** Names and addresses of others that are in the request, by what they are: sealed with the actor's. */
  readonly searched?: Readonly<Record<string, string>> | undefined
}

/** The aggregate's id in a stream's name, `kind-id`. */
export function subjectOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
