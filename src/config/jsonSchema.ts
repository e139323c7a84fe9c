import { z } from 'zod'
import { hubSchema } from './schema.js'

/** A JSON Schema (2020-12), or a part of one. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Keys of the root that start so are the file's own: places for YAML anchors. */
export const OWN_KEY = /^x-/

let made: JsonSchema | undefined

/** The JSON Schema of `server.yaml`: what every section and key may be. Secrets are `writeOnly`. */
export function configSchema(): JsonSchema {
  made ??= {
    ...z.toJSONSchema(hubSchema('.'), { io: 'input' }),
    title: 'Configuration of Collections Hub',
    patternProperties: { [OWN_KEY.source]: {} }
  }
  return made
}
