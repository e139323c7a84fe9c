import type { RowOp, TableSpec } from '../storage/storage.js'
import { canonicalJson } from './canonical.js'
import { link, seal } from './chain.js'
import type { Draft } from './draft.js'
import {
  type Cause,
  type EventCodec,
  type Head,
  type NewEvent,
  type RecordedEvent,
  type StoredEvent,
  subjectOf
} from './event.js'
import type { Layer } from './layer.js'
import type { Decision, Outcome } from './writer.js'

const COMMANDS_MAX = 256
const BYTES_MAX = 1024 * 1024

/** What the log must know of the domain. */
export interface Rules {
  readonly codec: EventCodec
  readonly project: (event: RecordedEvent) => readonly RowOp[]
  /** The table whose row is the snapshot of a stream; null for streams that have none. */
  readonly tableOf: (stream: string) => TableSpec | null
}

export interface Job extends Decision {
  readonly commandId: string
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  attempts: number
}

interface Decided {
  readonly job: Job
  readonly outcome: Outcome | { readonly refusal: unknown }
}

/** Commands decided one on top of the other, whose events go out as one commit behind `after`. */
export class Batch {
  readonly layer: Layer
  readonly events: StoredEvent[] = []
  readonly ops: RowOp[] = []
  readonly after: Head
  readonly foreign: number
  head: Head
  /** True when no more may join it. */
  isClosed = false
  /** True when nothing may be decided on top of it before it is committed. */
  isOpaque = false
  readonly #rules: Rules
  readonly #draft: Draft
  readonly #decided: Decided[] = []
  #bytes = 0

  constructor(rules: Rules, draft: Draft, after: Head, foreign: number) {
    this.#rules = rules
    this.#draft = draft
    this.layer = draft.open()
    this.after = after
    this.head = after
    this.foreign = foreign
  }

  get jobs(): readonly Job[] {
    return this.#decided.map(({ job }) => job)
  }

  /** Decides one more. A refusal waits with the rest: what it was decided on is not committed yet. */
  async decide(job: Job, now: number): Promise<void> {
    job.attempts++
    const own = this.#draft.open()
    try {
      const { events, cause } = await job.decide(this.#draft)
      const placed = await this.#place(events, cause, job.commandId, now)
      // Projected from what the log will hold, not from what was meant: a replay has nothing else.
      const ops = placed.flatMap((event) => this.#rules.project(recorded(event, this.#rules.codec)))
      const isLaid = await this.#draft.lay(own, ops)
      const row = job.answer ? await this.#draft.get(job.answer.table, job.answer.id) : null
      // From here on nothing can fail, so a command is in the batch as a whole or not at all.
      this.#append(placed, ops, own)
      this.isOpaque ||= !isLaid
      this.#decided.push({ job, outcome: { position: this.head.position, row } })
    } catch (refusal) {
      this.#decided.push({ job, outcome: { refusal } })
    } finally {
      this.#draft.close(own)
    }
    this.isClosed ||= this.isOpaque || this.#decided.length >= COMMANDS_MAX || this.#bytes >= BYTES_MAX
  }

  /** The batch is committed: tells everyone. */
  deliver(): void {
    for (const { job, outcome } of this.#decided) {
      if ('refusal' in outcome) job.reject(outcome.refusal)
      else job.resolve(outcome)
    }
  }

  #append(events: readonly StoredEvent[], ops: readonly RowOp[], own: Layer): void {
    for (const event of events) {
      this.events.push(event)
      this.head = { ...this.head, position: event.position, chain: event.chain, at: event.at }
      this.#bytes += event.payload.text?.length ?? 0
      own.versions.set(event.stream, event.version)
    }
    for (const op of ops) this.ops.push(op)
    this.layer.add(own)
  }

  /** Gives events their place in the log: position, version, time, seals and chain. */
  async #place(events: readonly NewEvent[], cause: Cause, commandId: string, now: number) {
    if (events.length === 0) return []
    const versions = await this.#versions(events)
    const at = new Date(Math.max(now, Date.parse(this.head.at))).toISOString()
    const who = seal(canonicalJson({ address: cause.address, name: cause.actorName }))
    let { position, chain } = this.head
    return events.map(({ stream, type, data }) => {
      const version = (versions.get(stream) ?? 0) + 1
      versions.set(stream, version)
      position++
      const envelope = {
        position,
        stream,
        version,
        type,
        schema: this.#rules.codec.schemaOf(type),
        at,
        commandId,
        actorId: cause.actorId,
        tokenId: cause.tokenId,
        requestId: cause.requestId,
        correlationId: cause.requestId,
        causation: null,
        who,
        payload: seal(canonicalJson(data))
      }
      chain = link(chain, envelope)
      return { ...envelope, chain } satisfies StoredEvent
    })
  }

  /** How far each stream has come. A row is at its stream's head, so its version says it; without one the log does. */
  async #versions(events: readonly NewEvent[]): Promise<Map<string, number>> {
    const versions = new Map<string, number>()
    const subjects = new Map<TableSpec, Set<string>>()
    const streams = new Set(events.map(({ stream }) => stream))
    for (const { type, stream } of events) if (this.#rules.codec.begins(type)) streams.delete(stream)
    for (const stream of streams) {
      const pending = this.#draft.pendingVersion(stream)
      const table = this.#rules.tableOf(stream)
      if (pending !== undefined) versions.set(stream, pending)
      else if (table) subjects.set(table, (subjects.get(table) ?? new Set()).add(stream))
    }
    for (const [table, wanted] of subjects) {
      const rows = await this.#draft.getAll(table, [...wanted].map(subjectOf))
      const byId = new Map(rows.map(({ id, version }) => [id, version]))
      for (const stream of wanted) {
        const version = byId.get(subjectOf(stream))
        if (version !== undefined) versions.set(stream, version)
      }
    }
    for (const stream of streams) {
      if (!versions.has(stream)) versions.set(stream, await this.#draft.lastVersion(stream))
    }
    return versions
  }
}

/** The event as projectors see it, its data brought up to date. Throws where the payload is erased or unknown. */
export function recorded(event: StoredEvent, codec: EventCodec): RecordedEvent {
  const { type, schema, stream, payload, position, version, at, actorId } = event
  if (payload.text === null) throw new Error(`The payload of event ${position} is erased.`)
  const data = codec.decode(type, schema, payload.text)
  return { type, subject: subjectOf(stream), data, position, version, at, actorId }
}
