import { inspect } from 'node:util'
import { NotReady } from '../../src/app/databases.js'
import { ConfigError } from '../../src/config/load.js'
import { HubError } from '../../src/errors.js'
import { IndexUnavailable } from '../../src/followers/search/unavailable.js'
import { NoWayBack } from '../../src/ledger/rebuild.js'
import { ClockRefused } from '../../src/lib/clock.js'
import { closestName } from '../../src/lib/didYouMean.js'
import { UnusableKey } from '../../src/lib/keyFile.js'
import { ImageNotMoved } from '../../src/records/images/move.js'
import {
  BlobsUnavailable,
  BuildLost,
  ChangeTooLarge,
  NotGranted,
  StorageUnavailable
} from '../../src/storage/storage.js'
import { ThrottleUnavailable } from '../../src/throttle/throttle.js'
import { UnusableCheckpoint } from '../../src/trust/audit/checkpoint.js'
import { BackupError } from '../../src/trust/backup/format.js'
import { NotSealed } from '../../src/trust/seal.js'
import { visible } from './visible.js'

/** How a command ends, for whoever reads the exit code. */
export const EXIT = { done: 0, refused: 1, misused: 2 } as const

/** What each of them means. */
export const EXIT_MEANINGS = [
  [EXIT.done, 'what was asked for is done, or printed; a list may be empty'],
  [
    EXIT.refused,
    'it was refused or failed, what was named is not there, or what was verified does not hold: stderr says why'
  ],
  [EXIT.misused, 'the arguments are no command of the hub, or lack something that it needs: nothing was looked at']
] as const

/** A refusal of the command line: its message is for the person who typed, and so are the lines behind it that help. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly #help: readonly string[]

  constructor(message: string, { help = [], ...options }: ErrorOptions & { readonly help?: readonly string[] } = {}) {
    super(message, options)
    this.#help = help
  }

  /** The lines behind the message. */
  get help(): readonly string[] {
    return this.#help
  }
}

/** The arguments are no command of the hub, or lack something that it needs. */
export class UsageError extends CliError {
  override readonly name = 'UsageError'
}

/** Throws a `CliError` where there is something wrong: with the first of it, and with the others behind that. */
export function requireNone([first, ...help]: readonly string[]): void {
  if (first !== undefined) throw new CliError(first, { help })
}

/** The exit code of a command that has thrown this. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? EXIT.misused : EXIT.refused
}

const FORESEEN = [
  ...[BackupError, BlobsUnavailable, BuildLost, ChangeTooLarge, CliError, ClockRefused, ConfigError, IndexUnavailable],
  ...[ImageNotMoved, HubError, NotGranted, NotReady, NotSealed, NoWayBack, StorageUnavailable],
  ...[ThrottleUnavailable, UnusableCheckpoint, UnusableKey]
]

/** What an error says on the terminal, line by line: what went wrong, and with `verbose` its causes and where it was thrown. */
export function errorLines(error: unknown, verbose: boolean): readonly string[] {
  // A configuration has a line for each of its problems; a break in another message is part of what it quotes.
  const said = error instanceof ConfigError ? message(error).split('\n') : [message(error)]
  if (error instanceof CliError) said.push(...error.help)
  return verbose ? [...said, ...inspected(error)] : said
}

/** An error with its causes and where each was thrown; the breaks in their messages do not make lines. */
function inspected(error: unknown): readonly string[] {
  let text = inspect(error)
  for (let one = error; one instanceof Error; one = one.cause)
    if (one.message !== '') text = text.replaceAll(one.message, () => visible(one.message))
  return text.split('\n')
}

function message(error: unknown): string {
  // Drivers keep the server's own words in the cause; here they are for the operator.
  if ((error instanceof StorageUnavailable || error instanceof BlobsUnavailable) && error.cause !== undefined)
    return `${error.message.replace(/\.$/, '')}: ${textOf(error.cause)}`
  // A refusal of the operating system has a message that names the file or address.
  const isOfSystem = error instanceof Error && 'syscall' in error
  const foreseen = FORESEEN.some((kind) => error instanceof kind) || isOfSystem
  return foreseen ? textOf(error) : `Unexpected error: ${textOf(error)} (hub -v tells more)`
}

/** Several addresses of one host name fail together, in an error whose own message is empty. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** The line that asks whether something else was meant, as a list of none or one. */
export function didYouMean(
  text: string,
  candidates: Iterable<string>,
  shown: (candidate: string) => string = (candidate) => `"${candidate}"`
): readonly string[] {
  const found = closestName(text, candidates)
  return found === undefined ? [] : [`Did you mean ${shown(found)}?`]
}
