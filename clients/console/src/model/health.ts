import type { Schemas } from '@collections-hub/client'
import { fieldOf } from './auditEntry.js'
import { counted } from './numbers.js'

/** What a check has found of one thing. */
export type Check = Schemas['Status']['checks'][number]

/** What the last verification of the log came to. */
type Verification = Pick<NonNullable<Schemas['Status']['log']['verification']>, 'status' | 'text'>

const RANKS: readonly Check['status'][] = ['failed', 'warning', 'ok']

/** What was found, what is wrong first; otherwise in the order of the checks. A verification that failed is the worst of all. */
export function worstFirst(checks: readonly Check[], verification: Verification | null): readonly Check[] {
  const sorted = checks.toSorted((one, other) => RANKS.indexOf(one.status) - RANKS.indexOf(other.status))
  if (verification?.status !== 'failed') return sorted
  const { status, text } = verification
  const advice = 'Stop the hub and run `hub audit verify`.'
  return [{ name: 'verification', status, text, advice, subject: null }, ...sorted]
}

export const isWrong = ({ status }: Check): boolean => status !== 'ok'

/** All of it in a sentence that says whether there is something to do. */
export function verdict(checks: readonly Check[]): { readonly status: Check['status']; readonly text: string } {
  const failed = checks.filter(({ status }) => status === 'failed').length
  const warnings = checks.filter(({ status }) => status === 'warning').length
  const found = [
    failed > 0 ? counted(failed, 'check has failed', 'checks have failed') : '',
    warnings > 0 ? counted(warnings, 'check warns', 'checks warn') : ''
  ]
  const status = failed > 0 ? 'failed' : warnings > 0 ? 'warning' : 'ok'
  if (status === 'ok') return { status, text: 'All is well, and there is nothing to do.' }
  return { status, text: `${found.filter(Boolean).join(', and ')}. What to do about it stands below.` }
}

/** How long something takes or has taken, in its two largest units: `3 days 4 hours`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [
    { count: Math.floor(whole / 86_400), word: 'day' },
    { count: Math.floor(whole / 3600) % 24, word: 'hour' },
    { count: Math.floor(whole / 60) % 60, word: 'minute' },
    { count: whole % 60, word: 'second' }
  ]
  const first = parts.findIndex(({ count }) => count > 0)
  if (first < 0) return 'less than a second'
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => counted(count, word))
    .join(' ')
}

/** What came of each section of the configuration that an answer tells of, also where it refuses; none where it tells of none. */
export function sectionsIn(answer: unknown) {
  const lists = [fieldOf(answer, 'sections'), fieldOf(answer, 'others')].filter(Array.isArray)
  return lists.flat().flatMap((one: unknown) => {
    const [section, status, error] = [fieldOf(one, 'section'), fieldOf(one, 'status'), fieldOf(one, 'error')]
    if (typeof section !== 'string' || typeof status !== 'string') return []
    return [{ section, status, ...(typeof error === 'string' && { error }) }]
  })
}
