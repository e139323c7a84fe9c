import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** An index file as it lies there now. */
export interface IndexFile {
  readonly path: string
  /** Changes when the file is written or another one takes its place. */
  readonly stamp: string
}

/** Where an index is looked for when none is configured, or the configured one is not there. */
export const USUAL_PATHS: readonly string[] = [
  '/app/data/docsSearchIndex.json',
  join(process.cwd(), 'data', 'docsSearchIndex.json')
]

/** The first of the paths that is a file and may be read; null when none is. */
export async function findIndexFile(paths: readonly string[]): Promise<IndexFile | null> {
  for (const path of paths) {
    try {
      const file = await stat(path)
      // A pipe would be waited for.
      if (!file.isFile()) continue
      await access(path, constants.R_OK)
      return { path, stamp: [path, file.mtimeMs, file.ctimeMs, file.size, file.ino].join('|') }
    } catch {
      // Not there, or not for us: the next one may be.
    }
  }
  return null
}
