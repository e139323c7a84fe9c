import type { z } from 'zod'
import type { NewEvent, RecordedEvent } from '../src/log/event.js'

/** One type of event: the schema of its data, and how data of each older schema version becomes that of the next. */
export interface EventDefinition<D extends z.ZodType = z.ZodType> {
  readonly data: D
  readonly upcasts: readonly ((data: unknown) => unknown)[]
  /** True when it is always the first of its stream. */
  readonly begins: boolean
}

/** Defines a type of event whose data has always had this shape. */
export function event<D extends z.ZodType>(data: D): EventDefinition<D> {
  return { data, upcasts: [], begins: false }
}

/** The same for the event that a stream begins with. */
export function begin<D extends z.ZodType>(data: D): EventDefinition<D> {
  return { ...event(data), begins: true }
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>

/** The events of a definition map as projectors see them: a union that `type` tells apart. */
export type EventsOf<D extends EventDefinitions> = {
  [T in keyof D & string]: RecordedEvent<T, z.infer<D[T]['data']>>
}[keyof D & string]

/**
 * Makes new events of one aggregate: `emit(id, type, data)`, its stream being `kind-id`. It carries what it emits and the kind
 * of stream that it emits to, so that nobody keeps a list of them beside.
 */
export function emitter<D extends EventDefinitions>(kind: string, definitions: D) {
  const emit = <T extends keyof D & string>(id: string, type: T, data: z.infer<D[T]['data']>): NewEvent => ({
    stream: `${kind}-${id}`,
    type,
    data
  })
  return Object.assign(emit, { kind, definitions })
}
