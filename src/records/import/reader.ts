import { z } from 'zod'
import { answerTasks } from '../formats/thread.js'
import { readImport } from './formats.js'
import { IMPORT_FORMATS } from './imported.js'

// The thread that `readInThread` has files read in.

const bounds = z.object({
  ...{ maxItems: z.number(), maxContent: z.number(), maxUnpackedBytes: z.number(), maxFiles: z.number() },
  ...{ maxValues: z.number(), maxYamlParts: z.number(), maxSeconds: z.number() }
})
const task = z.object({
  bytes: z.instanceof(Uint8Array),
  format: z.enum(IMPORT_FORMATS).optional(),
  part: z.string().optional(),
  bounds: bounds.optional()
})

answerTasks(import.meta.url, task, ({ bytes, ...options }) => readImport(bytes, options))
