import { execFile } from 'node:child_process'
import { open, statfs, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Program } from '../cli/support.js'
import { afterwards } from '../support/afterwards.js'
import { findBinary } from '../support/private-server.js'
import { Missing } from './engine.js'
import { engineDirectory } from './machine.js'

const run = promisify(execFile)

/** A disk that can be filled up. */
export interface SmallDisk {
  readonly path: string
  /** Leaves no room on it. */
  fill(): Promise<void>
  /** Takes away what filled it. */
  clear(): Promise<void>
}

/** A file system of its own in memory, of so many megabytes. */
export async function smallDisk(size_MB: number): Promise<SmallDisk> {
  if (process.getuid?.() !== 0) throw new Missing('only root may mount a file system')
  const path = await engineDirectory('disk')
  const mounted = run('mount', ['-t', 'tmpfs', '-o', `size=${size_MB}m`, 'tmpfs', path])
  await mounted.catch((error: unknown) => {
    throw new Missing(`no file system can be mounted: ${error}`)
  })
  afterwards(() => run('umount', ['--lazy', path]))
  const ballast = join(path, 'ballast')
  return {
    path,
    async fill() {
      const file = await open(ballast, 'a')
      const { bavail, bsize } = await statfs(path)
      // The last write fails where the disk is full, which is what is wanted.
      await file.write(Buffer.alloc(bavail * bsize)).catch(() => undefined)
      await file.close()
    },
    clear: () => unlink(ballast)
  }
}

/** How a program is run so that its calls of fsync can be made to fail. */
export async function withFailingSync(program: Program): Promise<Program> {
  const fiu = await findBinary('fiu-run')
  if (fiu === null) throw new Missing('no fiu-run on PATH')
  return [fiu, '-x', ...program]
}

/** Makes every fsync of a process that was started so fail, or no longer. */
export async function failSync(pid: number, fails: boolean): Promise<void> {
  const points = ['posix/io/sync/fsync', 'posix/io/sync/fdatasync']
  const commands = points.flatMap((name) => ['-c', `${fails ? 'enable' : 'disable'} name=${name}`])
  await run('fiu-ctrl', [...commands, String(pid)])
}
