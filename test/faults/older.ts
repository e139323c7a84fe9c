import { execFile } from 'node:child_process'
import { access, mkdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Missing } from '../engines/engine.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** What makes the tables of a release: a change of it is what an upgrade is about. */
const TABLES = ['projections', 'migrations/index.ts']

/**
 * The command line of the release before: of the last tag, else of the commit before the last one that changed a version of a read table.
 * Built once, beside the dependencies of this one.
 */
export async function olderProgram(): Promise<{ readonly main: string; readonly name: string }> {
  const commit = await olderCommit()
  const place = join(tmpdir(), 'hub-engines-cache', `hub-${commit}`)
  const main = join(place, 'dist/bin/hub.js')
  const isThere = await access(main).then(
    () => true,
    () => false
  )
  if (!isThere) {
    await rm(place, { recursive: true, force: true })
    await mkdir(place, { recursive: true })
    const archive = join(place, 'release.tar')
    await run('git', ['-C', ROOT, 'archive', '--output', archive, commit])
    await run('tar', ['-xf', archive, '-C', place])
    await symlink(join(ROOT, 'node_modules'), join(place, 'node_modules'))
    await run('npm', ['run', '--silent', 'build', '-w', 'clients/typescript'], { cwd: place })
    // The dependencies are of this release, so types may not agree where the console is; what is compiled is the same.
    await run('npx', ['tsc'], { cwd: place }).catch(() => undefined)
    await run('npx', ['vite', 'build', 'cli'], { cwd: place })
  }
  return { main, name: commit.slice(0, 8) }
}

async function olderCommit(): Promise<string> {
  const git = async (...args: readonly string[]) => (await run('git', ['-C', ROOT, ...args])).stdout.trim()
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => '')
  if (tag !== '') return git('rev-parse', `${tag}^{commit}`)
  const changed = await git('log', '-1', '--format=%H', '-G', 'version:', '--', ...TABLES).catch(() => '')
  const before = await git('rev-parse', `${changed}^`).catch(() => '')
  if (before === '') throw new Missing('the repository has no release before this one')
  return before
}
