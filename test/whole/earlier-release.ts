import { execFile } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../support/databases.js'

const run = promisify(execFile)
const HERE = fileURLToPath(new URL('../../../', import.meta.url))
/** The last commit that knows nothing of what a head is written under. */
const EARLIER = '7d3532b'

/** The command line of the release before, built in a directory of its own. */
export interface EarlierRelease {
  readonly main: string
  remove(): Promise<void>
}

/** Builds the release before from the history of this checkout; null where that does not reach back so far. */
export async function earlierRelease(): Promise<EarlierRelease | null> {
  const has = await run('git', ['cat-file', '-e', `${EARLIER}^{commit}`], { cwd: HERE }).catch(() => null)
  if (!has) return null
  const { path, remove } = await temporaryDirectory()
  const archive = join(path, 'release.tar')
  await run('git', ['archive', '--output', archive, EARLIER], { cwd: HERE })
  await run('tar', ['-xf', archive], { cwd: path })
  await rm(archive)
  await symlink(join(HERE, 'node_modules'), join(path, 'node_modules'))
  await run(process.execPath, [join(HERE, 'node_modules/typescript/bin/tsc')], { cwd: path })
  return { main: join(path, 'dist/cli/main.js'), remove }
}
