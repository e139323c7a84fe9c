import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../../support/databases.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** What npm says where the registry cannot be reached and its cache does not have what is needed. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED/

/** One more attempt, after half a second: npm would try for minutes before it says that there is no registry. */
const IMPATIENTLY = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=500']

/** The program as an operator has installed it. */
export interface Installed {
  /** Where `hub` is, for the path. */
  readonly bin: string
  readonly hub: string
  readonly remove: () => Promise<void>
}

/**
 * Packs this checkout as it is built, and installs the tarball with its dependencies into an empty directory. `missing` says why
 * it cannot be done here; any other failure of npm rejects.
 */
export async function installed(): Promise<Installed | { readonly missing: string }> {
  const { path, remove } = await temporaryDirectory()
  try {
    const place = join(path, 'program')
    await mkdir(place)
    // It is built already: what npm would run before packing is that build.
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', path], { cwd: ROOT })
    const [{ filename }] = JSON.parse(packed.stdout)
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', ...IMPATIENTLY]
    await run('npm', ['install', ...quietly, join(path, filename)], { cwd: place })
    const bin = join(place, 'node_modules/.bin')
    return { bin, hub: join(bin, 'hub'), remove }
  } catch (error) {
    await remove()
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    const [reason] = UNREACHABLE.exec(text) ?? []
    if (reason === undefined) throw error
    return { missing: `npm cannot fetch the dependencies here (${reason})` }
  }
}
