import { inspect } from 'node:util'
import { UnusableCheckpoint } from '../src/audit/checkpoint.js'
import { UnusableKey } from '../src/audit/sealKey.js'
import { ConfigError } from '../src/config/load.js'
import { HubError } from '../src/errors.js'
import { NotReady } from '../src/hub.js'
import { NoWayBack } from '../src/rebuild.js'
import { NotSealed } from '../src/seal.js'
import { StorageUnavailable } from '../src/storage/storage.js'
import { ThrottleUnavailable } from '../src/throttle/throttle.js'
import { ImportError } from '../src/transfer/import.js'

/** A refusal of the command line: its message is for the person who typed. */
export class CliError extends Error {
  override readonly name = 'CliError'
}

const FORESEEN = [
  ...[CliError, ConfigError, ImportError, HubError, NotReady, NotSealed, NoWayBack, StorageUnavailable],
  ...[ThrottleUnavailable, UnusableCheckpoint, UnusableKey]
]

/** What an error says on the terminal: what went wrong, and with `verbose` its causes and where it was thrown. */
export function errorText(error: unknown, verbose: boolean): string {
  return verbose ? `${message(error)}\n${inspect(error)}` : message(error)
}

function message(error: unknown): string {
  // Drivers keep the server's own words in the cause; here they are for the operator.
  if (error instanceof StorageUnavailable && error.cause !== undefined)
    return `${error.message.replace(/\.$/, '')}: ${textOf(error.cause)}`
  const foreseen = FORESEEN.some((kind) => error instanceof kind) || isSystemError(error)
  return foreseen ? textOf(error) : `Unexpected error: ${textOf(error)} (hub -v tells more)`
}

/** A refusal of the operating system, whose message names the file or address. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Several addresses of one host name fail together, in an error whose own message is empty. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
