import { isDeepStrictEqual } from 'node:util'
import type { HubConfig } from './config/types.js'

/**
 * The sections that a reload reports, in their order; `docs` counts with `llm`. Older clients take no answer with a section
 * that they do not know: `collaboration` is there only where a file names it, for clients that can do what it is about.
 */
export const RELOADED_SECTIONS = ['db', 'redis', 'llm', 'plugins', 'collaboration', 'server'] as const
export type ReloadedSection = (typeof RELOADED_SECTIONS)[number]

export interface SectionStatus {
  readonly section: ReloadedSection
  readonly status: 'reloaded' | 'unchanged' | 'failed' | 'restart-required'
  readonly error?: string
}

/** What a reload did. With `fatalError` the file could not be used and nothing has changed. */
export interface ReloadReport {
  readonly sections: readonly SectionStatus[]
  readonly fatalError?: string
}

/** The status of a section that needs no connection: it is taken over as it is. */
export function settled(section: ReloadedSection, before: unknown, after: unknown): SectionStatus {
  return { section, status: isDeepStrictEqual(before, after) ? 'unchanged' : 'reloaded' }
}

/** Listening again would drop every connection, and a single process has nobody beside it: both need a restart. */
export function serverStatus(before: HubConfig['server'], after: HubConfig['server']): SectionStatus {
  const isElsewhere = before.host !== after.host || before.port !== after.port
  if (!isElsewhere && before.workers === after.workers) return { section: 'server', status: 'unchanged' }
  const keys = isElsewhere ? 'server.host or server.port' : 'server.workers'
  const error = `Changes to ${keys} require a full process restart.`
  return { section: 'server', status: 'restart-required', error }
}

/** How much of a configuration could not be taken over: of two reports, the one with less of it went better. */
export function troubleIn({ sections, fatalError }: ReloadReport): number {
  if (fatalError !== undefined) return Number.POSITIVE_INFINITY
  return sections.filter(({ status }) => status === 'failed').length
}

/** The report of all processes together: that of one with which it went best, for the others have to follow it. */
export function togetherReport(reports: readonly ReloadReport[]): ReloadReport {
  const [first, ...others] = reports
  if (!first) throw new Error('No process has told what came of the reload.')
  return others.reduce((best, one) => (troubleIn(one) < troubleIn(best) ? one : best), first)
}
