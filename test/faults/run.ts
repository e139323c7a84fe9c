import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Entry, historyText } from '../checking/history.js'
import { logText } from '../checking/log.js'
import { check, type Verdict } from '../checking/verdict.js'
import type { Home } from '../cli/support.js'
import { WITHOUT_RETRY } from './ask.js'
import { completed, finalLog } from './finalLog.js'
import { type HubOptions, type HubProcess, type Hubs, startHubs } from './hubs.js'
import { acknowledgedSince, longest_ms, type Observation, unavailable_ms } from './observed.js'
import { startTraffic, type Traffic, type TrafficOptions } from './traffic.js'

/** A run of three hubs under load, as an experiment drives it. */
export interface Run extends Hubs {
  /** Makes a fault, and keeps in the history that it was made. */
  fault(what: string, make: () => unknown): Promise<void>
  /** Lets the clients go on for so long. */
  goOn(duration_ms: number): Promise<void>
  /**
   * Waits until each hub has acknowledged a change, and keeps how long it took from now: the dependency is back. Where hubs say that
   * the log lacks what they knew, that is accepted as an operator does it.
   */
  recovered(): Promise<void>
  /** Runs a command that must succeed. */
  requireDone(home: Home | undefined, ...args: readonly string[]): Promise<void>
  /** Asks `hub doctor` at the first hub, and keeps which checks fail. */
  consult(): Promise<void>
}

/** What came of an experiment. */
export interface Outcome {
  readonly seed: number
  readonly faults: number
  readonly verdict: Verdict
  /** The longest that a hub took to acknowledge a change again; null where nothing was waited for. */
  readonly recovery_ms: number | null
  readonly longest_ms: number
  /** The longest until somebody was told that the hub is not available. */
  readonly unavailable_ms: number
  /** What clients were told where they were not served, the most frequent first. */
  readonly told: readonly string[]
  /** What hubs logged as a warning or an error, the most frequent first. */
  readonly logged: readonly string[]
  /** The checks of `hub doctor` that failed in the middle of it. */
  readonly doctor: readonly string[]
  /** Acknowledged changes that a database without them has lost, and that an operator has accepted as lost; null where none were. */
  readonly accepted: number | null
  /** Commands that found log and read tables not to agree, and answers that do not say when to try again. */
  readonly unverified: readonly string[]
  readonly history: string
  readonly log: string
}

const RECOVERY_LIMIT_MS = 60_000
const POLL_MS = 10
/** What hubs say where the log lacks what they knew, and what an operator does about it. */
const LOSS = 'hub log accept-head'
const TOLD_MAX = 3

/** Starts hubs and clients, has faults made, and checks what was seen against the log that is left. */
export async function runFaults(
  hubOptions: HubOptions,
  options: TrafficOptions,
  drive: (run: Run) => Promise<void>
): Promise<Outcome> {
  const hubs = await startHubs(hubOptions)
  const traffic = await startTraffic(hubs, options)
  const kept: Kept = { faults: 0, faultMade_ms: 0, recovery_ms: null, doctor: [], unverified: [], acceptedAt: null }
  await Promise.race([drive(runOf(hubs, traffic, kept)), traffic.done])
  await traffic.stop()
  const [hub] = hubs.hubs
  if (!hub) throw new Error('There is no hub.')
  const log = await finalLog(hub.home)
  const history = completed(traffic.recorder.history, log)
  const { all } = traffic.observed
  const { acceptedAt, faultMade_ms: _, unverified, ...told } = kept
  unverified.push(...all.filter(({ text }) => text.endsWith(WITHOUT_RETRY)).map(({ text }) => text))
  for (const args of [
    ['projections', 'verify'],
    ['audit', 'verify']
  ] as const) {
    const { code, stdout, stderr } = await hub.home.here(...args)
    if (code !== 0) unverified.push(`hub ${args.join(' ')}: ${stdout}${stderr}`)
  }
  const logged = mostFrequent(hubs.hubs.flatMap(troubleLogged))
  for (const one of hubs.hubs) await one.kill()
  return {
    seed: options.seed,
    ...told,
    accepted: acceptedAt === null ? null : (check(history.slice(0, acceptedAt), log).counts.lost ?? 0),
    verdict: check(acceptedAt === null ? history : begunSince(history, acceptedAt), log),
    longest_ms: longest_ms(all),
    unavailable_ms: unavailable_ms(all),
    told: mostFrequent(all.filter(isTrouble).map(toldIn)),
    logged,
    unverified,
    history: historyText(history),
    log: logText(log)
  }
}

interface Kept {
  faults: number
  /** When the last of them was made, in milliseconds of `performance.now()`. */
  faultMade_ms: number
  recovery_ms: number | null
  readonly doctor: string[]
  readonly unverified: string[]
  /** The entry of the history behind which the log is another one. */
  acceptedAt: number | null
}

function runOf(hubs: Hubs, { recorder, observed, forget }: Traffic, kept: Kept): Run {
  return {
    ...hubs,
    async fault(what, make) {
      kept.faults++
      recorder.fault(what)
      await make()
      kept.faultMade_ms = performance.now()
    },
    goOn: (duration_ms) => sleep(duration_ms),
    async recovered() {
      const since_ms = performance.now()
      const limit_ms = since_ms + RECOVERY_LIMIT_MS
      let isAccepted = false
      for (;;) {
        const at_ms = acknowledgedSince(
          observed.all,
          since_ms,
          hubs.hubs.filter(({ isUp }) => isUp)
        )
        if (at_ms !== undefined) {
          kept.recovery_ms = Math.max(kept.recovery_ms ?? 0, Math.round(at_ms - since_ms))
          return
        }
        if (observed.all.some(({ text, from_ms }) => from_ms >= since_ms && text.includes(LOSS)) && !isAccepted) {
          isAccepted = true
          const { code, stderr } = (await hubs.hubs[0]?.home.here('log', 'accept-head', '--yes')) ?? {}
          if (code !== 0) throw new Error(`hub log accept-head: ${stderr}`)
          recorder.fault(LOSS)
          kept.acceptedAt = recorder.history.length
          forget()
          const early = observed.all.filter(({ status, from_ms }) => {
            return status !== null && status < 300 && from_ms > kept.faultMade_ms
          })
          if (early.length > 0)
            kept.unverified.push(`${early.length} requests were served before the loss was accepted.`)
        }
        if (performance.now() > limit_ms) throw new Error(`Not every hub wrote again: ${lastOf(observed.all)}`)
        await sleep(POLL_MS)
      }
    },
    async requireDone(home, ...args) {
      const { code, stderr } = (await home?.hub(...args)) ?? {}
      if (code !== 0) throw new Error(`hub ${args.join(' ')}: ${stderr}`)
    },
    async consult() {
      const { stdout = '' } = (await hubs.hubs[0]?.home.here('doctor', '--json')) ?? {}
      const { checks } = examined.parse(JSON.parse(stdout))
      for (const { name, findings } of checks)
        for (const { state, text } of findings)
          if (state === 'failed' && name !== 'server') kept.doctor.push(`${name}: ${text}`)
    }
  }
}

const examined = z.object({
  checks: z.array(z.object({ name: z.string(), findings: z.array(z.object({ state: z.string(), text: z.string() })) }))
})

/** The operations that were sent behind an entry of a history. */
function begunSince(history: readonly Entry[], index: number): readonly Entry[] {
  const begun = new Set<Entry['process']>()
  return history.slice(index).filter(({ process, type }) => {
    if (type === 'invoke') begun.add(process)
    return begun.has(process)
  })
}

function isTrouble({ status, isDisturbed }: Observation): boolean {
  return !isDisturbed && (status === null || status >= 500)
}

/** What a client was told: the status and the sentence. */
function toldIn({ status, text }: Observation): string {
  const [, sentence = text] = /^\{"error":"(.*)"\}$/.exec(text) ?? []
  return status === null ? text : `${status}: ${sentence}`
}

function lastOf(all: readonly Observation[]): string {
  return mostFrequent(all.slice(-50).map(({ hub, status, text }) => `${hub} ${status} ${text}`)).join('; ')
}

/** The messages of a hub's log of level warn and above. */
function troubleLogged(hub: HubProcess): readonly string[] {
  return [...hub.output().matchAll(/^\{.*"level":"?(?:warn|error|fatal|[456]0)"?.*\}$/gm)].map(([line]) => {
    const { msg = '', message = msg }: { msg?: string; message?: string } = JSON.parse(line)
    return message
  })
}

function mostFrequent(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, TOLD_MAX)
    .map(([text]) => text)
}
