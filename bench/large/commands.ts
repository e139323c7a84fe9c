import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { HubConfig } from '../../src/config/types.js'
import { freePort } from '../../test/support/private-server.js'

/** The program, as it is installed. */
export const HUB = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))
const LOOK_EVERY_MS = 50
const MB = 1024 * 1024
/** What the `hub` command gives Node. */
export const HUB_FLAGS = ['--max-semi-space-size=8']

/** Writes a configuration down for commands, in a directory, with a port that is free. */
export async function configure({ db, redis }: HubConfig, directory: string) {
  const [file, port] = [join(directory, 'server.yaml'), await freePort()]
  writeFileSync(file, JSON.stringify({ server: { host: '127.0.0.1', port }, db, redis }))
  return { file, port }
}

/** What one command took. */
export interface Run {
  readonly seconds: number
  readonly peak_mb: number
}

/** Runs a command of the hub to its end, and tells what its process took. Rejects where it fails. */
export async function hub(config: string, args: readonly string[], signal: AbortSignal): Promise<Run> {
  const started = performance.now()
  const child = spawn(process.execPath, [...HUB_FLAGS, HUB, '-c', config, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    signal
  })
  let peak_bytes = 0
  const timer = setInterval(() => {
    peak_bytes = Math.max(peak_bytes, residentBytes(child.pid))
  }, LOOK_EVERY_MS)
  try {
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`hub ${args.join(' ')} ended with ${code}.`)
    return { seconds: (performance.now() - started) / 1000, peak_mb: peak_bytes / MB }
  } finally {
    clearInterval(timer)
  }
}

/** Starts a hub as people do, and tells how many milliseconds its first answer to somebody with a token came after. */
export async function firstAnswer(config: string, url: string, secret: string): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [...HUB_FLAGS, HUB, '-c', config, 'start'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  try {
    while (child.exitCode === null) {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${secret}` } }).catch(() => null)
      await answer?.arrayBuffer()
      if (answer?.status === 200) return performance.now() - started
      await sleep(5)
    }
    throw new Error(`The hub ended with ${child.exitCode}.`)
  } finally {
    child.kill()
    await ended
  }
}

/** The most that a process has had in memory so far; 0 where the system does not say. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kb ?? 0) * 1024
  } catch {
    return 0
  }
}
