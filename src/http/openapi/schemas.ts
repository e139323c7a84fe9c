import { z } from 'zod'
import { hiddenIn } from '../../limits.js'
import { ANSWERS } from './answerExamples.js'
import { schemaNames } from './names.js'

/** A JSON Schema (2020-12), or a part of one. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Which side of a schema is told: what a client may send, or what it gets. */
export type Side = 'input' | 'output'

const COMPONENTS = '#/components/schemas/'

/** The JSON Schemas of a document: those with a name are in it once. */
export class Schemas {
  readonly #named = new Map<string, JsonSchema>()

  /** Those that have a name, by name. */
  get named(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The schema, or a reference to it where it has a name: one of its own, or the one that is given here with what it is. */
  of(schema: z.ZodType, side: Side, given?: { readonly name: string; readonly description: string }): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...made
    } = z.toJSONSchema(schema, {
      io: side,
      metadata: schemaNames,
      // What cannot be told is in `override`; a test says that nothing else is left open.
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => this.#refine(zodSchema, jsonSchema, side)
    })
    for (const [id, one] of Object.entries($defs)) this.#add(id, referring(one))
    const result = referring(made)
    if (given === undefined || '$ref' in result) return result
    const { name, description } = given
    return this.#add(name, { description, ...result })
  }

  #add(id: string, schema: JsonSchema): JsonSchema {
    // zod leaves the name in the schema, where it would be an identifier of JSON Schema.
    const { id: _, ...told } = schema
    const example = ANSWERS[id]
    const rest = example === undefined ? told : { ...told, examples: [example] }
    const known = this.#named.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(rest)) throw new Error(`Two schemas have the name ${id}.`)
    this.#named.set(id, rest)
    return { $ref: `${COMPONENTS}${id}` }
  }

  #refine(schema: z.core.$ZodType, json: JsonSchema, side: Side): void {
    // Clients take what they do not know: a field more is no new interface.
    if (json.additionalProperties === false) delete json.additionalProperties
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
    if (json.format !== undefined) delete json.pattern
    const { entry, free } = hiddenIn(schema)
    if (free === 'object') json.type = 'object'
    const description = z.globalRegistry.get(schema)?.description
    if (description !== undefined) json.description = description
    if (entry) json.items = this.of(entry, side)
  }
}

/** The schema with references to components in place of those to its own definitions. */
function referring(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`))
}
