import type { z } from 'zod'
import { name } from '../commands/content.js'
import { KINDS, type RestorableKind } from '../commands/kinds.js'
import { CliError } from './errors.js'

/** Reads a name: trimmed and not empty. Throws a `CliError` where it is missing or cannot be stored. */
export function nameValue(text: string | undefined): string {
  if (text === undefined) throw new CliError('Option --name is required.')
  return parsed(name, text)
}

export function roleValue(text: string | undefined): 'user' | 'admin' {
  if (text === undefined) throw new CliError('Option --role is required.')
  if (text !== 'user' && text !== 'admin') throw new CliError('Role must be "admin" or "user".')
  return text
}

/** Reads the entries of a repeatable option: ids, or `*` alone, or `none` alone for an empty list. */
export function accessValue(option: string, entries: readonly string[]): string[] {
  const list = entries.map((entry) => entry.trim())
  if (list.includes('')) throw new CliError(`${option}: Access entries must not be empty.`)
  for (const [entry, title] of [
    ['*', 'Wildcard access "*"'],
    ['none', '"none"']
  ] as const) {
    if (list.includes(entry) && list.length > 1) throw new CliError(`${option}: ${title} must be the only entry.`)
  }
  return list.includes('none') ? [] : list
}

/** Reads a number of tokens per month; null for `unlimited`. */
export function monthlyTokensValue(text: string): number | null {
  if (text === 'unlimited') return null
  const limit = /^\d+$/.test(text) ? Number(text) : 0
  if (limit < 1 || !Number.isSafeInteger(limit)) throw new CliError('Monthly token limit must be a positive integer.')
  return limit
}

/** Reads a number of hours. */
export function hoursValue(text: string): number {
  const hours = /^\d+$/.test(text) ? Number(text) : 0
  if (hours < 1 || !Number.isSafeInteger(hours)) throw new CliError('Value must be a positive integer.')
  return hours
}

/** Reads a kind of record. */
export function kindValue(text: string): RestorableKind {
  const kind = KINDS.find((one) => one === text)
  if (!kind) throw new CliError(`Unknown kind "${text}". Kinds are ${KINDS.join(', ')}.`)
  return kind
}

/** Reads a whole number from 1 on. */
export function countValue(option: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CliError(`${option} must be a whole number from 1 on.`)
  return Number(text)
}

/** Reads a number of minutes above 0, at most two weeks, which is what a timer can wait for; fractions are allowed. */
export function minutesValue(option: string, text: string): number {
  const minutes = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
  if (minutes <= 0 || minutes > 20_160)
    throw new CliError(`${option} must be a number of minutes above 0, at most two weeks.`)
  return minutes
}

/** Reads the number of a version. */
export function versionValue(option: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CliError(`${option} must be a version that hub history lists.`)
  return Number(text)
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
