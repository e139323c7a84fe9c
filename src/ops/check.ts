import { ConfigError } from '../config/load.js'
import { Superseded } from '../ledger/release.js'
import { isCode } from '../lib/files.js'
import { UnusableKey } from '../lib/keyFile.js'
import { HeadWentBack } from '../log/wentBack.js'
import { NotGranted, StorageUnavailable, WrongServer } from '../storage/storage.js'
import { ThrottleUnavailable } from '../throttle/throttle.js'
import { databaseAdvice } from './databaseAdvice.js'

/** How something stands; `skipped` where there was nothing to look at, or no way to. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped'

/** What a check has found of one thing. Neither `text` nor `advice` holds a secret or what a server said. */
export interface Finding {
  readonly state: State
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
  /** Which one, where a check looks at several. */
  readonly subject?: string
  /** What the other side said, for the operator's eyes alone. */
  readonly detail?: string
}

type More = Pick<Finding, 'subject' | 'detail'>

/** A question about the health of a hub: asked by a probe, by whoever collects metrics, or by `hub doctor`. */
export interface Check<Ports> {
  readonly name: string
  /** True where it looks at what is in the database: while that does not answer there is nothing to look at. */
  readonly isAboutContents?: true
  /** What it asks. What it throws is a finding too. */
  run(ports: Ports): Promise<readonly Finding[]>
}

/** A check with what it found. */
export interface Checked {
  readonly name: string
  /** The worst of the findings. */
  readonly state: State
  readonly findings: readonly Finding[]
}

const RANKS: readonly State[] = ['skipped', 'ok', 'warning', 'failed']

/** Waits for a check that runs, for so long at most. Never rejects. */
export async function checkedWithin(
  { name, isAboutContents }: Pick<Check<never>, 'name' | 'isAboutContents'>,
  running: Promise<readonly Finding[]>,
  limit_ms: number
): Promise<Checked> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Finding[]>((resolve) => {
    const text = `There was no answer within ${limit_ms / 1000} seconds.`
    timer = setTimeout(() => resolve([failed(text, 'Look whether the other side is overloaded.')]), limit_ms)
  })
  const findings = await Promise.race([running.catch((error: unknown) => [findingOf(error, isAboutContents)]), late])
  clearTimeout(timer)
  return { name, state: worst(findings.map(({ state }) => state)), findings }
}

/** The worst of these states. */
export function worst(states: readonly State[]): State {
  return RANKS[Math.max(0, ...states.map((state) => RANKS.indexOf(state)))] ?? 'failed'
}

/** A finding with what to do about it. */
export function finding(state: State, text: string, advice?: string, { subject, detail }: More = {}): Finding {
  return {
    ...(subject !== undefined && { subject }),
    ...{ state, text },
    ...(advice !== undefined && { advice }),
    ...(detail !== undefined && { detail })
  }
}

/** What is wrong, and what to do about it. */
export function failed(text: string, advice: string, more?: More): Finding {
  return finding('failed', text, advice, more)
}

/** What somebody should know of, and what to do about it. */
export function warning(text: string, advice: string, more?: More): Finding {
  return finding('warning', text, advice, more)
}

/** One finding that all is well. */
export function ok(text: string): readonly Finding[] {
  return [finding('ok', text)]
}

/** One finding that there was nothing to look at. */
export function skipped(text: string): readonly Finding[] {
  return [finding('skipped', text)]
}

/** What an error says, with the errors behind it; for the operator alone. */
export function detailOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(detailOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : detailOf(error.cause)
  return error.message.includes(cause) ? error.message : `${error.message} ${cause}`
}

/** What an error means that a check has thrown. */
function findingOf(error: unknown, isAboutContents = false): Finding {
  // Every problem of the file is told by the check of the configuration.
  if (error instanceof ConfigError) return finding('skipped', 'Not looked at: the configuration cannot be used.')
  const detail = detailOf(error)
  if (error instanceof Superseded)
    return failed('Another version of the hub has taken the database over.', 'Start that version.', { detail })
  if (error instanceof HeadWentBack) return failed(error.message, ACCEPT_HEAD)
  if (error instanceof NotGranted) return failed(error.message, GRANT, { detail })
  if (error instanceof WrongServer && !isAboutContents) return failed(error.message, OTHER_SERVER, { detail })
  if (error instanceof StorageUnavailable)
    return isAboutContents
      ? finding('skipped', 'Not looked at: the database does not answer.')
      : failed('The database does not answer.', databaseAdvice(error), { detail })
  if (error instanceof ThrottleUnavailable) return failed('The throttle store does not answer.', THROTTLE, { detail })
  if (error instanceof UnusableKey) return failed(error.message, KEY_ADVICE)
  if (isCode(error, 'EACCES')) return failed('This account may not look at it.', OTHER_ACCOUNT, { detail })
  return failed('The check itself failed.', 'Report it, with what is said here.', { detail })
}

/** What to do about a log that went back. */
export const ACCEPT_HEAD =
  'Look whether the database that had it can be brought back; if not, run `hub log accept-head`, which says what is lost.'
/** What to do about a key that cannot be used. */
export const KEY_ADVICE =
  'Put the key there, for the account of the hub to read, or name the file that has it in the configuration.'
const OTHER_ACCOUNT = 'Run this as the account of the hub, which has what it needs, or as root.'
const GRANT = 'Give the account what it lacks there; `hub migrate --grants` prints what a hub needs.'
const OTHER_SERVER =
  'Name every server that may become the primary in db.hosts, or see where the proxy leads: docs/engines.md.'
const THROTTLE = 'See that Redis runs and that the redis section names it: host, port, password, db.'
