import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Random } from './random.js'
import type { Scheduler, Step } from './scheduler.js'

/** What stands in for the clock, the timers and the chance of the machine, while a run goes on. */
export interface Machine {
  readonly scheduler: Scheduler
  readonly random: Random
  /** The time of day where the current step is done. */
  readonly now: () => number
}

let machine: Machine | null = null

function running(): Machine {
  if (!machine) throw new Error('Nothing runs.')
  return machine
}

/** What is asked of clocks, timers and chance from here on is answered by this machine. */
export function runOn(next: Machine): void {
  machine = next
}

const realImmediate = setImmediate
/** So many steps are done before the process has a turn of its own: one costs more than a step. */
const STEPS_PER_TURN = 256

/** Does step after step, everything that follows from one before the next, until there is none or it is over. */
export function drive(scheduler: Scheduler, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let isDone = false
    const one = () => {
      isDone ||= isOver() || !scheduler.step()
    }
    // Between two of these the event loop does what was promised, and nothing else.
    const turn = () => {
      if (isDone) return resolve()
      for (let i = 0; i < STEPS_PER_TURN; i++) realImmediate(one)
      realImmediate(turn)
    }
    turn()
  })
}

/** A timer as the globals have it. */
class Timer {
  step: Step | null = null
  unref(): this {
    return this
  }
}

function timerOf(delay_ms: number, run: () => void, isRepeated: boolean): Timer {
  const { scheduler } = running()
  const { owner } = scheduler
  const timer = new Timer()
  const plan = () => {
    timer.step = scheduler.at(owner, Math.max(1, delay_ms), 'timer', () => {
      if (isRepeated) plan()
      run()
    })
  }
  if (!owner.isDead) plan()
  return timer
}

function clear(timer: unknown): void {
  if (timer instanceof Timer && timer.step) timer.step.isCancelled = true
}

function sleep<T>(delay_ms = 1, value?: T, options: { readonly signal?: AbortSignal } = {}): Promise<T | undefined> {
  const { signal } = options
  return new Promise((resolve, reject) => {
    const abort = () => {
      clear(timer)
      reject(signal?.reason)
    }
    const timer = timerOf(
      delay_ms,
      () => {
        signal?.removeEventListener('abort', abort)
        resolve(value)
      },
      false
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

const TURN_MAX_MS = 0.25

function turn<T>(value?: T): Promise<T | undefined> {
  return new Promise((resolve) => soon(() => resolve(value)))
}

function soon(run: () => void): void {
  const { scheduler, random } = running()
  scheduler.at(scheduler.owner, random.next() * TURN_MAX_MS, 'turn', run, true)
}

/** How often bytes were drawn. */
let fills = 0

/** Does something until it draws bytes: what it keeps of those that were drawn before is used up then. */
export function untilDrawn(work: () => void): void {
  for (const before = fills; fills === before; ) work()
}

function fill<T extends Uint8Array>(bytes: T): T {
  const { random } = running()
  fills++
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256)
  return bytes
}

function uuid(): string {
  const digits = fill(Buffer.alloc(16)).toString('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20)
  ].join('-')
}

/** Replaces the clocks, the timers and the chance of this process for good. */
export function replaceBuiltins(): void {
  const builtin = createRequire(import.meta.url)
  Object.assign(builtin('node:timers/promises'), { setTimeout: sleep, setImmediate: turn })
  Object.assign(builtin('node:crypto'), {
    randomUUID: uuid,
    randomFillSync: fill,
    randomBytes: (size: number) => fill(Buffer.alloc(size))
  })
  syncBuiltinESMExports()
  Object.assign(globalThis, {
    setTimeout: (run: () => void, delay_ms = 1) => timerOf(delay_ms, run, false),
    setInterval: (run: () => void, delay_ms = 1) => timerOf(delay_ms, run, true),
    setImmediate: soon,
    clearTimeout: clear,
    clearInterval: clear
  })
  performance.now = () => machine?.scheduler.now_ms ?? 0
  Date.now = () => running().now()
  Math.random = () => running().random.next()
}
