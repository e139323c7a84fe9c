import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCode } from '../../lib/files.js'
import { LIMITS } from '../../limits.js'
import { type Asset, assetOf } from '../reply.js'

/** The console as it was built. */
export interface Console {
  readonly page: Asset
  /** What the page is made of, by name. */
  readonly files: ReadonlyMap<string, Asset>
}

/** Where the build of this package puts the console. */
export const BUILT_CONSOLE = fileURLToPath(new URL('../../../console/', import.meta.url))

/** Their names end with the hash of what is in them: another content is another name, so a browser may keep them for good. */
const HASHED = /^[\w.-]+-[\w-]{8,}\.\w+$/

/** What the page is made of, by the ends of names. */
export const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2'
}

/**
 * The console in a directory, read whole when it is first asked for, so that all of it is of one build; null where there is none,
 * for as long as there is none. Rejects where it is larger than a console may be.
 */
export function consoleIn(directory: string): () => Promise<Console | null> {
  let reading: Promise<Console | null> | undefined
  const forget = () => {
    reading = undefined
  }
  return () => {
    reading ??= read(directory).then(
      (found) => {
        if (!found) forget()
        return found
      },
      (error: unknown) => {
        forget()
        throw error
      }
    )
    return reading
  }
}

async function read(directory: string): Promise<Console | null> {
  const assets = join(directory, 'assets')
  const pagePath = join(directory, 'index.html')
  try {
    const names = (await readdir(assets, { withFileTypes: true })).filter(isOfTheBuild).map(({ name }) => name)
    await requireBounded([pagePath, ...names.map((name) => join(assets, name))])
    const files = new Map<string, Asset>()
    for (const name of names) files.set(name, assetOf(TYPES[extname(name)] ?? '', await readFile(join(assets, name))))
    return { page: assetOf('text/html; charset=utf-8', await readFile(pagePath)), files }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isOfTheBuild(entry: Dirent): boolean {
  return entry.isFile() && HASHED.test(entry.name) && TYPES[extname(entry.name)] !== undefined
}

async function requireBounded(paths: readonly string[]): Promise<void> {
  const { consoleFiles, consoleBytes } = LIMITS
  if (paths.length > consoleFiles.max) throw new Error(`The console has more than ${consoleFiles.max} files.`)
  let bytes = 0
  for (const path of paths) bytes += (await stat(path)).size
  if (bytes > consoleBytes.max) throw new Error(`The console is larger than ${consoleBytes.max} bytes.`)
}
