import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100

/**
 * Makes a folder that several processes use, and resolves when it is there and whole: one of those who ask at the same time calls
 * `make` with an empty folder beside it, which then gets the name, and the others wait. Where `make` fails or its process dies,
 * the next one tries. Rejects with what `make` threw.
 */
export async function madeOnce(path: string, make: (folder: string) => Promise<void>): Promise<void> {
  const lock = `${path}.lock`
  while (!existsSync(path)) {
    if (!(await isTaken(lock))) {
      await sleep(POLL_MS)
      continue
    }
    try {
      if (!existsSync(path)) await makeWhole(path, make)
    } finally {
      await rm(lock, { force: true })
    }
  }
}

async function makeWhole(path: string, make: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(`${path}.`)
  try {
    await make(folder)
    await rename(folder, path)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    // The lock of a dead process can go to two at once; the first whole folder is as good as the other.
    if (!existsSync(path)) throw error
  }
}

/** True when the lock is this caller's now; one of a process that is dead is taken away. */
async function isTaken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true })
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
