import { setTimeout as sleep } from 'node:timers/promises'
import { type Recorder, recorder } from '../checking/recorder.js'
import { caller, withId } from '../whole/client.js'
import { type Actor, actorOf, type Scene, type Token } from './actor.js'
import type { Hubs } from './hubs.js'
import { type Observed, observed } from './observed.js'
import { chatStep, comment, follower, invitationStory, look, tokenStory } from './people.js'
import { type Random, randomOf } from './random.js'
import { create, type Desk, list, move, read, remove, save, search } from './records.js'

export interface TrafficOptions {
  readonly seed: number
  readonly clients?: number
  /** The longest that a client rests between two calls. */
  readonly rest_ms?: number
}

/** Clients that make every kind of call at all hubs. */
export interface Traffic {
  readonly recorder: Recorder
  readonly observed: Observed
  /** Resolves once all clients have ended: after `stop`, or rejected because of what one of them did not understand. */
  readonly done: Promise<unknown>
  /** Has clients forget the records that they have made, which may be gone. */
  forget(): void
  /** Resolves once every client has its last answer. */
  stop(): Promise<void>
}

/** What a client does, and how often in a hundred times. */
const CALLS: readonly (readonly [times: number, call: (desk: Desk) => Promise<void>])[] = [
  [22, create],
  [16, save],
  [13, remove],
  [5, move],
  [14, read],
  [8, list],
  [8, search],
  [8, look],
  [3, chatStep],
  [3, comment]
]
const FOLLOWERS = 2
const STORYTELLERS = 2
const OWN_LEAST = 3
const OWN_MOST = 12

/** Begins with what clients share; rejects where the hubs do not answer yet. */
export async function startTraffic(
  hubs: Hubs,
  { seed, clients = 20, rest_ms = 500 }: TrafficOptions
): Promise<Traffic> {
  const [hub] = hubs.hubs
  if (!hub) throw new Error('There is no hub.')
  const made = await caller(hub.url)(hubs.user.secret, 'POST', '/collections', { name: 'Payments' })
  const shared = withId.parse(made).id
  const began = process.hrtime.bigint()
  let [processes, names, isOver] = [0, 0, false]
  const scene: Scene = {
    hubs,
    recorder: recorder(() => Number(process.hrtime.bigint() - began)),
    observed: observed(),
    newProcess: () => processes++,
    newName: () => `w${seed.toString(36)}x${(names++).toString(36)}`,
    isOver: () => isOver
  }
  const user: Token = { label: 'user', secret: hubs.user.secret }
  const admin: Token = { label: 'admin', secret: hubs.admin }
  const seen: Desk['seen'] = [] as { id: string; kind: Desk['own'][number]['kind'] }[]
  const random = randomOf(seed)
  const actorAt = () => actorOf(scene, randomOf(random.below(2 ** 31)))
  const loop = async (actor: Actor, step: () => Promise<void>, pause_ms: number) => {
    while (!isOver) {
      await step()
      await sleep(actor.random.below(pause_ms))
    }
  }
  const desks: Desk[] = []
  const writers = Array.from({ length: clients - FOLLOWERS - STORYTELLERS }, () => {
    const actor = actorAt()
    const desk: Desk = { actor, token: user, shared, own: [], seen, newName: scene.newName }
    desks.push(desk)
    return loop(actor, () => callOf(desk, actor.random)(desk), rest_ms)
  })
  const tellers = Array.from({ length: STORYTELLERS }, () => {
    const actor = actorAt()
    const tell = () => (actor.random.below(2) === 0 ? tokenStory : invitationStory)(actor, scene, admin)
    return loop(actor, tell, 2 * rest_ms)
  })
  const followers = Array.from({ length: FOLLOWERS }, () => {
    const actor = actorAt()
    return loop(actor, follower(actor, scene, admin), rest_ms)
  })
  const done = Promise.all([...writers, ...tellers, ...followers])
  done.catch(() => {
    isOver = true
  })
  return {
    recorder: scene.recorder,
    observed: scene.observed,
    done,
    forget() {
      for (const { own } of desks) own.length = 0
    },
    async stop() {
      isOver = true
      await done
    }
  }
}

/** Makes where there is little, and takes away where there is much. */
function callOf({ own, seen }: Desk, random: Random): (desk: Desk) => Promise<void> {
  if (own.length < OWN_LEAST || seen.length === 0) return create
  if (own.length > OWN_MOST) return remove
  let left = random.below(CALLS.reduce((sum, [times]) => sum + times, 0))
  for (const [times, call] of CALLS) {
    if (left < times) return call
    left -= times
  }
  return look
}
