import { z } from 'zod'
import { seal } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import type { Storage } from '../../src/storage/storage.js'
import { createMemoryThrottle } from '../../src/throttle/memory.js'
import type { Entry } from '../checking/history.js'
import { type LogEntry, logEntryOf } from '../checking/log.js'
import { recorder } from '../checking/recorder.js'
import { check, type Verdict } from '../checking/verdict.js'
import { drive, type Machine, runOn, untilDrawn } from './builtins.js'
import { SHARED, type Shared } from './clients.js'
import { Database } from './database.js'
import type { Defect } from './defects.js'
import { Faults } from './faults.js'
import { EPOCH_MS, HubPlace, type OpenHub } from './hubs.js'
import { harass } from './nemesis.js'
import { type Random, randomOf } from './random.js'
import { Receiver } from './receiver.js'
import { logWith, makeScene, type Scene } from './scene.js'
import { ownerOf, Scheduler } from './scheduler.js'
import type { Sending } from './sender.js'
import { story } from './story.js'

export interface RunOptions {
  readonly scene: Scene
  readonly seed: number
  readonly hubs: number
  readonly operations: number
  /** What is wrong with the hubs or the database on purpose. */
  readonly defect?: Defect | undefined
  /** Is told of every step. */
  readonly trace?: (line: string) => void
}

/** What a run came to. */
export interface Run {
  readonly verdict: Verdict
  readonly history: readonly Entry[]
  readonly log: readonly LogEntry[]
  readonly faults: Faults
  readonly steps: number
}

const NS_PER_MS = 1e6
const PAGE = 500
const RECEIVING = 0.25
/** In this time everything is over, whatever happens: a run that is not has come to a stand. */
const RUN_MAX_MS = 200_000

/** What all runs of this process begin with: the same in every process. */
export async function sceneOfRuns(): Promise<Scene> {
  const { scheduler, now } = machineOf(0)
  const scene = await ended(scheduler, makeScene(now))
  if (!scene) throw new Error('There is nothing to begin with.')
  scheduler.end()
  return scene
}

function machineOf(seed: number, trace?: (line: string) => void): Machine {
  const random = randomOf(seed)
  const scheduler = new Scheduler(trace ?? null)
  const now = () => Math.floor(EPOCH_MS + scheduler.elapsed_ms + scheduler.owner.skew_ms)
  const machine = { scheduler, random, now }
  runOn(machine)
  untilDrawn(() => seal(''))
  return machine
}

/** Runs clients against some hubs on one database, all from one seed, and checks what they were told. */
export async function run(options: RunOptions): Promise<Run> {
  const { scene, seed, hubs, operations, defect, trace } = options
  const { random, scheduler, now } = machineOf(seed, trace)
  const faults = new Faults(random)
  const storage = await logWith(scene, now)
  const database = new Database(storage, scheduler, faults)
  defect?.plant?.(database)
  const told = recorder(() => Math.round(scheduler.elapsed_ms * NS_PER_MS))
  let processes = 0
  const receiver = hasReceiver(faults, random)
    ? new Receiver(scheduler, random, faults, told, processes++, scene.webhookAfter)
    : null
  const ports = {
    ...{ scheduler, faults, database, throttle: createMemoryThrottle() },
    broken: (real: Storage) => defect?.breaks?.(real, random) ?? real,
    opened: ({ ledger, owner }: OpenHub) => receiver?.follow(ledger, owner)
  }
  const placeOf = (number: number) => new HubPlace(`hub${number}`, ports)
  const places = [placeOf(1), ...Array.from({ length: hubs - 1 }, (_, i) => placeOf(i + 2))] as const
  const owner = ownerOf('clients')
  const sending: Sending = { random, places, recorder: told, owner, process: () => processes++ }
  const shared: Shared = {
    random,
    scene,
    tokens: [scene.ada, ...scene.revocable],
    records: [...SHARED],
    left: operations
  }
  for (const token of [scene.admin, scene.spender, ...shared.tokens])
    told.invoke(processes++, 'issue', { token: token.id }).ok({})
  scheduler.owner = owner
  harass({ scheduler, random, faults, database, places, recorder: told, owner: ownerOf('nemesis') })
  const troubles = await ended(scheduler, story({ sending, shared, faults, database, storage, receiver }))
  for (const place of places) place.kill()
  scheduler.end()
  await drive(scheduler, () => false)
  const log = await logIn(storage)
  const verdict = check(told.history, log, undefined, troubles ?? [`It is not over after ${RUN_MAX_MS} ms.`])
  return { verdict, history: told.history, log, faults, steps: scheduler.steps }
}

/**
 * Webhooks are delivered in some runs, since that takes long. A lease lasts by the clock of who took it, so that clocks which differ by
 * much hold deliveries up for as long.
 */
function hasReceiver({ kinds }: Faults, random: Random): boolean {
  return random.chance(RECEIVING) && !kinds.has('clock')
}

/** What a promise comes to that waits for steps of the run; undefined where that takes too long. */
async function ended<T>(scheduler: Scheduler, promise: Promise<T>): Promise<T | undefined> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  promise.then(over, over)
  await drive(scheduler, () => isOver || scheduler.elapsed_ms > RUN_MAX_MS)
  return isOver ? promise : undefined
}

async function logIn(storage: Storage): Promise<readonly LogEntry[]> {
  const log: LogEntry[] = []
  for (;;) {
    const page = await storage.readLog(log.length, PAGE)
    if (page.length === 0) return log
    log.push(...page.map((event) => logEntryOf(event, contentOf(event))))
  }
}

const content = z.object({ name: z.string() })

/** What an event makes of a collection or a folder, which is its name; undefined where it changes nothing of that. */
function contentOf({ type, payload }: StoredEvent): string | null | undefined {
  if (/^(Collection|Folder)Deleted$/.test(type)) return null
  if (!/^(Collection|Folder)(Created|Updated)$/.test(type)) return undefined
  return content.parse(JSON.parse(payload.text ?? '')).name
}
