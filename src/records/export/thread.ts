import { z } from 'zod'
import { answerTasks, inThread } from '../formats/thread.js'
import { EXPORT_FORMATS, type Exported, type ExportFormat, writeExport } from './formats.js'
import { type CollectionTexts, partOf, treeOf } from './tree.js'

interface Wanted {
  readonly format: ExportFormat
  /** Ids of what is written alone, with what it holds. */
  readonly only?: readonly string[] | undefined
}

/** Writes a collection as `writeExport` does, or a part of it, in a thread of its own. */
export async function writeInThread(texts: CollectionTexts, { format, only }: Wanted): Promise<Exported> {
  const written = await inThread(new URL(import.meta.url), { texts, format, only })
  // The thread is this very module, and what it has written is what `writeExport` has returned there.
  return z.custom<Exported>((value) => typeof value === 'object' && value !== null).parse(written)
}

const list = z.array(z.string())
const texts = z.object({ collection: z.string(), folders: list, requests: list, documents: list })
const task = z.object({ texts, format: z.enum(EXPORT_FORMATS), only: list.optional() })

answerTasks(import.meta.url, task, ({ texts, format, only }) => {
  const tree = treeOf(texts)
  return writeExport(only ? partOf(tree, new Set(only)) : tree, format)
})
