import { isDeepStrictEqual } from 'node:util'
import type { HubConfig } from '../config/types.js'

/**
 * The sections that a reload reports, in their order; `docs` counts with `llm`, and `storage` with `db`. Older clients take no answer with a section
 * that they do not know: `collaboration` is there only where a file names it, for clients that can do what it is about.
 */
export const RELOADED_SECTIONS = ['db', 'redis', 'llm', 'plugins', 'collaboration', 'server'] as const
export type ReloadedSection = (typeof RELOADED_SECTIONS)[number]

/** Of the others it reports those that changed, beside these. */
const OTHER_SECTIONS = [
  ...([
    'logging',
    'metrics',
    'console',
    'tokens',
    'signIn',
    'authorization',
    'invitations',
    'import',
    'client',
    'agents'
  ] as const),
  ...(['audit', 'webhooks', 'multitenancy', 'tenants'] as const)
] as const
type OtherSection = (typeof OTHER_SECTIONS)[number]

export interface SectionStatus<S extends string = ReloadedSection> {
  readonly section: S
  readonly status: 'reloaded' | 'unchanged' | 'failed' | 'restart-required'
  readonly error?: string
}

/** What a reload did. With `fatalError` the file could not be used and nothing has changed. */
export interface ReloadReport {
  readonly sections: readonly SectionStatus[]
  /** The sections that older clients do not know, where any of them changed. */
  readonly others?: readonly SectionStatus<OtherSection>[]
  readonly fatalError?: string
}

/** The status of a section that needs no connection: it is taken over as it is. */
export function settled(section: ReloadedSection, before: unknown, after: unknown): SectionStatus {
  return { section, status: isDeepStrictEqual(before, after) ? 'unchanged' : 'reloaded' }
}

/** What is fixed at start: a process listens, logs and serves pages as it began to. */
const FIXED: Readonly<Record<string, (config: HubConfig) => object>> = {
  server: ({ server: { bodyLimitBytes: bodyLimitMb, ...server } }) => ({ ...server, bodyLimitMb }),
  logging: ({ logging }) => logging,
  metrics: ({ metrics }) => metrics,
  multitenancy: ({ multitenancy: { enabled } }) => ({ enabled })
}
const ADDRESS = ['server.host', 'server.port']

/** True where two values say the same: a key without a value is as good as none. */
export function isSame(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify({ value }))
  return isDeepStrictEqual(plain(a), plain(b))
}

/** The keys whose change needs a restart, by their names; none where nothing of that changed. */
export function fixedKeys(before: HubConfig, after: HubConfig): readonly string[] {
  const keys = Object.entries(FIXED).flatMap(([section, of]) => {
    const [was, is] = [new Map(Object.entries(of(before))), new Map(Object.entries(of(after)))]
    const changed = [...new Set([...was.keys(), ...is.keys()])].filter((key) => !isSame(was.get(key), is.get(key)))
    return changed.map((key) => `${section}.${key}`)
  })
  return before.console === after.console ? keys : [...keys, 'console']
}

/** The status of what is fixed at start, by the keys of it that changed. */
export function serverStatus(changed: readonly string[]): SectionStatus {
  if (changed.length === 0) return { section: 'server', status: 'unchanged' }
  const elsewhere = changed.some((key) => ADDRESS.includes(key)) ? ['server.host or server.port'] : []
  const keys = [...elsewhere, ...changed.filter((key) => !ADDRESS.includes(key))]
  const error = `Changes to ${keys.join(', ')} require a full process restart.`
  return { section: 'server', status: 'restart-required', error }
}

/** What the report tells of the sections beyond those that older clients know; `failed` says why what they say is not in force. */
export function otherStatuses(
  before: HubConfig,
  after: HubConfig,
  failed: { readonly [S in OtherSection]?: string | undefined }
): Pick<ReloadReport, 'others'> {
  const fixed = fixedKeys(before, after)
  const others = OTHER_SECTIONS.flatMap((section): readonly SectionStatus<OtherSection>[] => {
    if (isSame(before[section], after[section])) return []
    const error = failed[section]
    if (error !== undefined) return [{ section, status: 'failed', error }]
    const keys = fixed.filter((key) => key.split('.')[0] === section)
    if (keys.length === 0) return [{ section, status: 'reloaded' }]
    return [{ ...serverStatus(keys), section }]
  })
  return others.length === 0 ? {} : { others }
}
