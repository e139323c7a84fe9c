import { z } from 'zod'
import { USUAL_BOUNDS } from '../../config/importBounds.js'
import { LIMITS } from '../../limits.js'
import { inThread } from '../formats/thread.js'
import type { Imported, ReadOptions } from './imported.js'

/** What reads files is loaded in their thread alone. */
const READER = new URL('./reader.js', import.meta.url)

/** Reads a file as `readImport` does, in a thread of its own. */
export async function readInThread(bytes: Uint8Array, options: ReadOptions = {}): Promise<Imported> {
  const { maxSeconds = USUAL_BOUNDS.maxSeconds } = options.bounds ?? {}
  const bounds = { ...LIMITS, importTime: { max: maxSeconds * 1000 } }
  const read = await inThread(READER, { bytes, ...options }, bounds)
  // What the thread has read is what `readImport` has returned there.
  return z.custom<Imported>((value) => typeof value === 'object' && value !== null).parse(read)
}
