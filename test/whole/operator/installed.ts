import { execFile } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { temporaryDirectory } from '../../support/databases.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** What npm says where the registry cannot be reached and its cache does not have what is needed. */
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|ENOTCACHED/

/** One more attempt, after half a second, and no answer for half a minute is none: npm would try for a quarter of an hour. */
const IMPATIENTLY = [
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=500',
  '--fetch-timeout=30000'
]

/** What is read of a lock file. */
const lockFile = z.object({
  packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional(), link: z.boolean().optional() }))
})

/** The program as an operator has installed it. */
export interface Installed {
  /** Where `hub` is, for the path. */
  readonly bin: string
  readonly hub: string
  readonly remove: () => Promise<void>
}

/**
 * Packs this checkout as it is built, and installs the tarball with its dependencies into an empty directory, in the versions of
 * this checkout: npm has them in its cache, and asks the registry for nothing. `missing` says why it cannot be done here; any other
 * failure of npm rejects.
 */
export async function installed(): Promise<Installed | { readonly missing: string }> {
  const { path, remove } = await temporaryDirectory()
  try {
    const place = join(path, 'program')
    await mkdir(place)
    // It is built already: what npm would run before packing is that build.
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', path], { cwd: ROOT })
    const [{ filename }] = JSON.parse(packed.stdout)
    const bin = join(place, 'node_modules/.bin')
    const hub = join(bin, 'hub')
    await writeManifests(place, `file:${join('..', filename)}`)
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', ...IMPATIENTLY], { cwd: place })
    await access(hub)
    return { bin, hub, remove }
  } catch (error) {
    await remove()
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    const [reason] = UNREACHABLE.exec(text) ?? []
    if (reason === undefined) throw error
    return { missing: `npm cannot fetch the dependencies here (${reason})` }
  }
}

/** Of a directory where the tarball is the one dependency: what npm would write there, if it resolved to the versions of this checkout. */
async function writeManifests(place: string, tarball: string): Promise<void> {
  const lock = lockFile.parse(JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')))
  const { version, dependencies, bin, engines } = lock.packages[''] ?? {}
  const program = { name: 'program', private: true, dependencies: { 'collections-hub': tarball } }
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link
  )
  const packages = {
    '': program,
    'node_modules/collections-hub': { version, resolved: tarball, dependencies, bin, engines },
    ...Object.fromEntries(installed)
  }
  await writeFile(join(place, 'package.json'), JSON.stringify(program))
  await writeFile(
    join(place, 'package-lock.json'),
    JSON.stringify({ name: program.name, lockfileVersion: 3, requires: true, packages })
  )
}
