import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import { z } from 'zod'

// Loaded by a hub's process before anything else: it tells in a file how long the longest turn of its loop was.

const RESOLUTION_MS = 10
const EVERY_MS = 250
const FILE = 'HUB_LIMITS_LOOP_FILE'

/** The longest turn as a clock has it, with the waiting for a processor that others had, and by the processor alone. */
const turns = z.object({ clock_ms: z.number(), processor_ms: z.number() })

/** What a process needs in its environment to tell the longest turn of its loop in this file. */
export function watchLoop(file: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${import.meta.url}`, [FILE]: file }
}

/** The longest turn since `forgetTurns`, in words, as such a process has told it. */
export function longestTurn(file: string): string {
  if (!existsSync(file)) return 'not known'
  const { clock_ms, processor_ms } = turns.parse(JSON.parse(readFileSync(file, 'utf8')))
  return `${Math.round(clock_ms)} ms, of these ${Math.round(processor_ms)} ms at most by the processor`
}

/** From now on only later turns count. */
export function forgetTurns(file: string): void {
  rmSync(file, { force: true })
}

/** What the main thread has had of a processor, in milliseconds; 0 where the system does not say. */
function processor_ms(): number {
  const schedule = `/proc/self/task/${process.pid}/schedstat`
  return existsSync(schedule) ? Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6 : 0
}

const told = process.env[FILE]
if (told !== undefined && isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let [before, longest] = [processor_ms(), 0]
  setInterval(() => {
    const now = processor_ms()
    longest = Math.max(longest, now - before)
    before = now
  }, RESOLUTION_MS).unref()
  setInterval(() => {
    if (!existsSync(told)) {
      delays.reset()
      longest = 0
    }
    const clock_ms = Math.max(0, delays.max / 1e6 - RESOLUTION_MS)
    writeFileSync(told, JSON.stringify({ clock_ms, processor_ms: longest }))
  }, EVERY_MS).unref()
}
