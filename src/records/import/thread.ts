import { z } from 'zod'
import { LIMITS } from '../../limits.js'
import { answerTasks, inThread } from '../formats/thread.js'
import { USUAL_BOUNDS } from './bounds.js'
import { IMPORT_FORMATS, type Imported, type ReadOptions, readImport } from './formats.js'

/** Reads a file as `readImport` does, in a thread of its own. */
export async function readInThread(bytes: Uint8Array, options: ReadOptions = {}): Promise<Imported> {
  const { maxSeconds = USUAL_BOUNDS.maxSeconds } = options.bounds ?? {}
  const bounds = { ...LIMITS, importTime: { max: maxSeconds * 1000 } }
  const read = await inThread(new URL(import.meta.url), { bytes, ...options }, bounds)
  // The thread is this very module, and what it has read is what `readImport` has returned there.
  return z.custom<Imported>((value) => typeof value === 'object' && value !== null).parse(read)
}

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
