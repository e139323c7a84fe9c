import { z } from 'zod'
import type { EventCodec } from '../src/log/codec.js'
import type { DecodedEvent, NewEvent } from '../src/log/event.js'

/** Makes the data of one schema version that of the next. It gets what the log holds, parsed as JSON and not checked. */
export type Upcast = (data: unknown) => unknown

/** One type of event: the schema of its data, and how data of each older schema version becomes that of the next. */
export interface EventDefinition<D extends z.ZodType = z.ZodType> {
  readonly data: D
  /** The first leads from schema version 1 to 2, and so on: new events are of version `upcasts.length + 1`. */
  readonly upcasts: readonly Upcast[]
  /** True when it is always the first of its stream. */
  readonly begins: boolean
}

/** Defines a type of event. Without upcasts its data has always had this shape. */
export function event<D extends z.ZodType>(data: D, ...upcasts: readonly Upcast[]): EventDefinition<D> {
  return { data, upcasts, begins: false }
}

/** Defines a type of event that a stream begins with. */
export function begin<D extends z.ZodType>(data: D, ...upcasts: readonly Upcast[]): EventDefinition<D> {
  return { ...event(data, ...upcasts), begins: true }
}

const fields = z.record(z.string(), z.unknown())

/** An upcast that gives fields new names, `{ old: 'new' }`; a field that is not there is not there afterwards either. */
export function renaming(names: Readonly<Record<string, string>>): Upcast {
  return (data) => {
    const renamed = fields.parse(data)
    for (const [old, name] of Object.entries(names)) {
      if (!Object.hasOwn(renamed, old)) continue
      renamed[name] = renamed[old]
      delete renamed[old]
    }
    return renamed
  }
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>

/** The events of a definition map as projectors see them: a union that `type` tells apart. */
export type EventsOf<D extends EventDefinitions> = {
  [T in keyof D & string]: DecodedEvent<T, z.infer<D[T]['data']>>
}[keyof D & string]

/**
 * Makes new events of one aggregate: `emit(id, type, data)`, its stream being `kind-id`. It carries what it emits and the kind
 * of stream that it emits to, so that nobody keeps a list of them beside.
 */
export function emitter<K extends string, D extends EventDefinitions>(kind: K, definitions: D) {
  const emit = <T extends keyof D & string>(id: string, type: T, data: z.infer<D[T]['data']>): NewEvent => ({
    stream: `${kind}-${id}`,
    type,
    data
  })
  return Object.assign(emit, { kind, definitions })
}

/** Writes and reads the data of these types of event; `decode` brings it up to date from any schema version that there was. */
export function codecOf(definitions: EventDefinitions): EventCodec {
  // The schema of a type's data as code of its own: a replay parses hundreds of thousands, and a process meets few types.
  const parsers = new Map<string, z.ZodType>()
  const definition = (type: string): EventDefinition => {
    const found = Object.hasOwn(definitions, type) ? definitions[type] : undefined
    if (!found) throw new Error(`Event type ${type} is unknown to this version.`)
    return found
  }
  const parserOf = (type: string): z.ZodType => {
    const parser = parsers.get(type) ?? z.compile(definition(type).data)
    parsers.set(type, parser)
    return parser
  }
  return {
    knows: (type) => Object.hasOwn(definitions, type),
    schemaOf: (type) => definition(type).upcasts.length + 1,
    begins: (type) => definition(type).begins,
    decode(type, schema, json) {
      const { upcasts } = definition(type)
      if (schema > upcasts.length + 1)
        throw new Error(`Event ${type} has schema ${schema}, newer than this version knows.`)
      let data: unknown = JSON.parse(json)
      for (const upcast of upcasts.slice(schema - 1)) data = upcast(data)
      return parserOf(type).parse(data)
    },
    read: (type, parsed) => parserOf(type).parse(parsed)
  }
}
