import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { answerWith, inThread } from '../formats/thread.js'
import { IMPORT_FORMATS, type Imported, type ImportFormat, readImport } from './formats.js'

/** Reads a file as `readImport` does, in a thread of its own. */
export async function readInThread(bytes: Uint8Array, format?: ImportFormat): Promise<Imported> {
  const read = await inThread(new URL(import.meta.url), { importing: { bytes, format } })
  // The thread is this very module, and what it has read is what `readImport` has returned there.
  return z.custom<Imported>((value) => typeof value === 'object' && value !== null).parse(read)
}

const task = z.object({
  importing: z.object({ bytes: z.instanceof(Uint8Array), format: z.enum(IMPORT_FORMATS).optional() })
})

const given = task.safeParse(workerData)
if (parentPort && given.success) {
  const { bytes, format } = given.data.importing
  answerWith(() => readImport(bytes, format))
}
