import { z } from 'zod'
import { inThread } from '../formats/thread.js'
import type { EnvironmentFormat, Exported, ExportFormat } from './exported.js'
import type { Environment } from './harborclient.js'
import type { CollectionTexts } from './tree.js'

/** What writes files is loaded in their thread alone. */
const WRITER = new URL('./writer.js', import.meta.url)

interface Wanted {
  readonly format: ExportFormat
  /** Ids of what is written alone, with what it holds. */
  readonly only?: readonly string[] | undefined
}

/** Writes a collection as `writeExport` does, or a part of it, in a thread of its own. */
export function writeInThread(texts: CollectionTexts, { format, only }: Wanted): Promise<Exported> {
  return written({ texts, format, only })
}

/** Writes an environment as `writeEnvironment` does, in the same thread: it may have thousands of variables. */
export function writeEnvironmentInThread(environment: Environment, format: EnvironmentFormat): Promise<Exported> {
  return written({ environment, format })
}

async function written(task: object): Promise<Exported> {
  const written = await inThread(WRITER, task)
  // What the thread has written is what these functions have returned there.
  return z.custom<Exported>((value) => typeof value === 'object' && value !== null).parse(written)
}
