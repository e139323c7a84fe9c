import { execFile } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../support/databases.js'
import { madeOnce } from '../support/made-once.js'

const run = promisify(execFile)
const HERE = fileURLToPath(new URL('../../../', import.meta.url))
/** The last commit that knows nothing of what a head is written under. */
const EARLIER = '7d3532b'

/** The command line of the release before. */
export interface EarlierRelease {
  readonly main: string
  /** Removes what this process has built for itself alone. */
  remove(): Promise<void>
}

/**
 * The release before, built from the history of this checkout: once for all files of a run. Null where the history does not reach
 * back so far.
 */
export async function earlierRelease(): Promise<EarlierRelease | null> {
  const has = await run('git', ['cat-file', '-e', `${EARLIER}^{commit}`], { cwd: HERE }).catch(() => null)
  if (!has) return null
  const shared = process.env.HUB_TEST_SHARED
  const folder = shared === undefined ? await temporaryDirectory() : { path: shared, remove: async () => {} }
  const path = join(folder.path, EARLIER)
  await madeOnce(path, build)
  return { main: join(path, 'dist/cli/main.js'), remove: folder.remove }
}

async function build(path: string): Promise<void> {
  const archive = join(path, 'release.tar')
  await run('git', ['archive', '--output', archive, EARLIER], { cwd: HERE })
  await run('tar', ['-xf', archive], { cwd: path })
  await rm(archive)
  await symlink(join(HERE, 'node_modules'), join(path, 'node_modules'))
  await run(process.execPath, [join(HERE, 'node_modules/typescript/bin/tsc')], { cwd: path })
}
