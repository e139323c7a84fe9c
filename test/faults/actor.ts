import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type F, type Sent, UNAUTHORIZED } from '../checking/history.js'
import type { Recorder } from '../checking/recorder.js'
import { ask, type Reply, type Request } from './ask.js'
import type { HubProcess, Hubs } from './hubs.js'
import type { Observed } from './observed.js'
import type { Random } from './random.js'

/** A token under the name that the history has it by. */
export interface Token {
  readonly label: string
  readonly secret: string
}

/** What all clients share. */
export interface Scene {
  readonly hubs: Hubs
  readonly recorder: Recorder
  readonly observed: Observed
  /** A number that no process of the history has had. */
  newProcess(): number
  /** A name that nothing else has. */
  newName(): string
  isOver(): boolean
}

/** An operation over HTTP. */
export interface Asking<Of extends F> {
  readonly f: Of
  readonly sent: Sent<Of>
  readonly request: Omit<Request, 'secret'>
  readonly token: Token
  /** At any hub where none is named. */
  readonly hub?: HubProcess
  /** True where it changes something, so that nobody knows what became of it where no answer comes. */
  readonly isChange?: boolean
  /** True where it is sent again, with the same key, until it is known what became of it. */
  readonly isRepeated?: boolean
  /** What a good answer says; null where it says of itself that it is not whole. */
  answer(reply: Answered): Answer<Of> | null
  /** What it says that there is nothing of the kind (404), where that is an answer. */
  absent?(): Answer<Of>
  /** What a refusal says of the state, where it says something. */
  refusal?(status: number): string | undefined
}

export type Answered = Extract<Reply, { status: number }>

/** Who has one operation at a time. */
export interface Actor {
  readonly random: Random
  /** Sends a request, keeps in the history what became of it, and returns the good answer, or null. */
  perform<Of extends F>(asking: Asking<Of>): Promise<Answered | null>
}

const REPEATS_MAX = 40
const PAUSE_MS = 250

export function actorOf(scene: Scene, random: Random): Actor {
  let process = scene.newProcess()
  const send = async (hub: HubProcess, request: Request, isChange: boolean) => {
    const from_ms = performance.now()
    const reply = await ask(hub.url, request)
    const { status, text } = reply
    scene.observed.add(hub, { from_ms, to_ms: performance.now(), status, isChange, text })
    return reply
  }
  return {
    random,
    async perform({
      f,
      sent,
      request,
      token,
      isChange = false,
      isRepeated = false,
      answer,
      absent,
      refusal,
      ...given
    }) {
      const key = isRepeated && { headers: { 'idempotency-key': scene.newName() } }
      const whole = { ...request, ...key, secret: token.secret }
      const hub = given.hub ?? random.pick(scene.hubs.hubs)
      const handle = scene.recorder.invoke(process, f, sent, { token: token.label, hub: hub.name })
      let reply = await send(hub, whole, isChange)
      let isOpen = isUnknown(reply)
      for (let again = 0; isRepeated && isOpen && again < REPEATS_MAX && !scene.isOver(); again++) {
        await sleep(PAUSE_MS)
        reply = await send(random.pick(scene.hubs.hubs), whole, isChange)
        // What did not arrive says nothing of what was sent before it.
        isOpen = isUnknown(reply) || reply.status === null
      }
      const { status, text } = reply
      if (status !== null && status < 300) {
        const said = answer(reply)
        if (said) handle.ok(said)
        else handle.fail('The answer is not whole.')
        return reply
      }
      if (status === 404 && absent) {
        handle.ok(absent())
        return null
      }
      if (isChange && isOpen) {
        handle.info(text, status ?? undefined)
        process = scene.newProcess()
      } else if (status === 401) handle.fail(UNAUTHORIZED, status)
      else handle.fail((status !== null && refusal?.(status)) || text, status ?? undefined)
      return null
    }
  }
}

/** True where a change may have happened all the same. */
function isUnknown(reply: Reply): boolean {
  return reply.status === null ? !reply.isRefused : reply.status >= 500
}
