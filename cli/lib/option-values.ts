import type { z } from 'zod'
import { name } from '../../commands/content.js'
import { BUDGET_MOST } from '../../commands/llm/budget/amounts.js'
import { sentInitials } from '../../commands/people/avatar/avatar.js'
import { ROLES, type Role } from '../../commands/people/user/events.js'
import { KINDS, type RestorableKind } from '../../commands/records/kinds.js'
import { LIMITS } from '../../src/limits.js'
import { CliError, didYouMean, UsageError } from './errors.js'

/** Reads a name: trimmed and not empty. Throws a `CliError` where it is missing or cannot be stored. */
export function nameValue(text: string | undefined): string {
  if (text === undefined) throw new UsageError('Option --name is required.')
  return parsed(name, text)
}

/** Reads what stands for an account. Throws a `CliError` for what is not one or two letters. */
export function initialsValue(text: string): string {
  return parsed(sentInitials, text)
}

/** Reads a role. Throws a `CliError` for what is none. */
export function roleValue(text: string | undefined): Role {
  if (text === undefined) throw new UsageError('Option --role is required.')
  return oneOfValue('--role', text, ROLES)
}

/** Reads the entries of a repeatable option: ids, or `*` alone, or `none` alone for an empty list. */
export function accessValue(option: string, entries: readonly string[]): string[] {
  const list = entries.map((entry) => entry.trim())
  if (list.includes('')) throw new CliError(`${option}: Access entries must not be empty.`)
  if (list.length > 1 && list.includes('*'))
    throw new CliError(`${option}: Wildcard access "*" must be the only entry.`)
  if (list.length > 1 && list.includes('none')) throw new CliError(`${option}: "none" must be the only entry.`)
  return list.includes('none') ? [] : list
}

/** Reads a number of tokens per month; null for `unlimited`. */
export function monthlyTokensValue(text: string): number | null {
  if (text === 'unlimited') return null
  return positiveValue('Monthly token limit', text)
}

/** Reads a whole number above 0, which `what` is called. */
export function positiveValue(what: string, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0
  if (count < 1 || !Number.isSafeInteger(count)) throw new CliError(`${what} must be a positive integer.`)
  return count
}

/** Reads an amount above 0: a whole number of tokens, or of US dollars with up to six decimals. */
export function amountValue(option: string, text: string, unit: 'tokens' | 'usd'): number {
  const isWhole = /^\d{1,10}$/.test(text)
  const amount = isWhole || (unit === 'usd' && /^\d{1,10}\.\d{1,6}$/.test(text)) ? Number(text) : 0
  if (amount <= 0 || amount > BUDGET_MOST)
    throw new CliError(
      `${option} must be ${unit === 'usd' ? 'US dollars such as 25 or 0.5' : 'a whole number of tokens'}, above 0 and at most ${BUDGET_MOST}.`
    )
  return amount
}

/** Reads the id of a model, as it is written. Throws a `CliError` for none, and for one longer than any. */
export function modelValue(option: string, text: string): string {
  if (text.trim() === '') throw new CliError(`${option} must name a model.`)
  if (text.length > LIMITS.modelId.max)
    throw new CliError(`${option} must have at most ${LIMITS.modelId.max} characters.`)
  return text
}

/** Reads a kind of record. */
export function kindValue(text: string): RestorableKind {
  return wordValue('kind', text, KINDS)
}

/** What can be erased once it is deleted: records, and run results by the word that the log has for them. */
export const ERASABLE_KINDS = [...KINDS, 'runresult'] as const

/** Reads one of the words that name a kind or type of something. */
export function wordValue<const T extends string>(what: 'kind' | 'type', text: string, words: readonly T[]): T {
  const plural = what === 'kind' ? 'Kinds' : 'Types'
  return meant(text, words, `Unknown ${what} "${text}". ${plural} are ${words.join(', ')}.`)
}

/** Reads one of a few words. */
export function oneOfValue<const T extends string>(option: string, text: string, words: readonly T[]): T {
  return meant(text, words, `${option} must be one of: ${words.join(', ')}. It is "${text}".`)
}

/** The one of these words that was typed, in whatever case, and whether or not its parts are joined by hyphens. */
function meant<const T extends string>(text: string, words: readonly T[], refusal: string): T {
  const plain = (word: string) => word.replaceAll('-', '').toLowerCase()
  const found = words.find((word) => plain(word) === plain(text))
  if (found === undefined) throw new CliError(refusal, { help: didYouMean(text, words) })
  return found
}

/** Reads a whole number from 1 on, which is `what` it has to be. */
export function countValue(option: string, text: string, what = 'a whole number from 1 on'): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CliError(`${option} must be ${what}.`)
  return Number(text)
}

/** Reads a number of minutes above 0, at most two weeks, which is what a timer can wait for; fractions are allowed. */
export function minutesValue(option: string, text: string): number {
  const minutes = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
  if (minutes <= 0 || minutes > 20_160)
    throw new CliError(`${option} must be a number of minutes above 0, at most two weeks.`)
  return minutes
}

const UNITS_MS = new Map(Object.entries({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }))

/** Reads a length of time such as `30s`, `5m`, `12h` or `7d`, in milliseconds. */
export function durationValue(option: string, text: string, least: string, most: string): number {
  const time_ms = milliseconds(text)
  if (time_ms === null || time_ms < (milliseconds(least) ?? 0) || time_ms > (milliseconds(most) ?? 0))
    throw new CliError(`${option} must be a time such as 30s, 5m, 12h or 7d, from ${least} to ${most}.`)
  return time_ms
}

/** A length of time such as `30s` or `7d` in milliseconds; null for what is none. */
export function milliseconds(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text.trim().toLowerCase()) ?? []
  const unit_ms = UNITS_MS.get(unit)
  return unit_ms === undefined ? null : Number(count) * unit_ms
}

/** Reads a month as `YYYY-MM`. */
export function monthValue(option: string, text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new CliError(`${option} must be a month such as 2026-01.`)
  return text
}

/** Reads the number of a version. */
export function versionValue(option: string, text: string): number {
  return countValue(option, text, 'a version that hub history lists')
}

/** Reads the address of a hub. */
export function urlValue(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw new CliError('--base-url must be an http or https URL.')
  return text
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  const { data, error } = schema.safeParse(text)
  if (data === undefined) throw new CliError(error?.issues[0]?.message ?? 'Invalid value.')
  return data
}
