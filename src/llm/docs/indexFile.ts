import { constants } from 'node:fs'
import { access, type FileHandle, open, stat } from 'node:fs/promises'
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

const LOOK_BYTES = 256

/** A quick look at a file that may be large: false where it cannot be read, or is no JSON object from its beginning to its end. */
export async function seemsWhole(path: string): Promise<boolean> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const beginning = await textAt(file, 0)
      const end = await textAt(file, Math.max(0, size - LOOK_BYTES))
      return beginning.trimStart().startsWith('{') && end.trimEnd().endsWith('}')
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}

async function textAt(file: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, position)
  return buffer.toString('latin1', 0, bytesRead)
}
