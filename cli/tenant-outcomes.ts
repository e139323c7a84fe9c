import type { TenantOutcome } from '../src/tenants/backups.js'
import { CliError } from './errors.js'

/** A line for each tenant that is whole. */
export function outcomeLines(verb: string, outcomes: readonly TenantOutcome[]): readonly string[] {
  return outcomes.flatMap((one) =>
    'failed' in one ? [] : [`${verb} tenant ${one.tenant}, up to position ${one.position}: ${one.file}`]
  )
}

/** Throws a `CliError` that names each tenant that is missing, and why. */
export function requireAll(what: string, outcomes: readonly TenantOutcome[]): void {
  const failed = outcomes.flatMap((one) => ('failed' in one ? [`${one.tenant}: ${one.failed}`] : []))
  if (failed.length > 0) throw new CliError(`${what} ${failed.join(' ')}`)
}
