import { z } from 'zod'
import { inThread } from '../formats/thread.js'
import type { Exported, ExportFormat } from './exported.js'
import type { CollectionTexts } from './tree.js'

/** What writes files is loaded in their thread alone. */
const WRITER = new URL('./writer.js', import.meta.url)

interface Wanted {
  readonly format: ExportFormat
  /** Ids of what is written alone, with what it holds. */
  readonly only?: readonly string[] | undefined
}

/** Writes a collection as `writeExport` does, or a part of it, in a thread of its own. */
export async function writeInThread(texts: CollectionTexts, { format, only }: Wanted): Promise<Exported> {
  const written = await inThread(WRITER, { texts, format, only })
  // What the thread has written is what `writeExport` has returned there.
  return z.custom<Exported>((value) => typeof value === 'object' && value !== null).parse(written)
}
