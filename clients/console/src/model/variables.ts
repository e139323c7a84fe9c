import type { Schemas } from '@collections-hub/client'
import { isReference, isSecretName, isSecretValue } from './secrets.js'
import { isSecretUrl, urlMasked } from './urlSecrets.js'

/** What a variable stands for where a request is looked at. */
export interface Filled {
  readonly value: string
  /** Where it is set, as people read it. */
  readonly from: string
  /** Whether nobody should read it over a shoulder: by its name, or since it is not to be shared. */
  readonly isSecret: boolean
}

export type Variables = ReadonlyMap<string, Filled>

/** Whether nobody should read what a variable has in this field over a shoulder. */
export function isHidden({ key, share, ...texts }: Schemas['Variable'], field: 'value' | 'defaultValue'): boolean {
  const text = texts[field]
  return isSecretUrl(text) || isSecretValue({ key, value: text }) || (!share && text !== '' && !isReference(text))
}

/** Something that sets variables. */
export interface Source {
  readonly name: string
  readonly variables: readonly Schemas['Variable'][]
}

/** The variables that these set together: where several set one, the first counts. Where a value is empty its default holds. */
export function variablesOf(sources: readonly Source[]): Variables {
  const all = new Map<string, Filled>()
  for (const { name: from, variables } of sources) {
    for (const { key, value, defaultValue, share, enabled } of variables) {
      if (!enabled || key === '' || all.has(key)) continue
      all.set(key, { value: value === '' ? defaultValue : value, from, isSecret: !share || isSecretName(key) })
    }
  }
  return all
}

/** A reference to a variable, with its name, which ends by what is no blank: so blanks are looked through once. */
export const REFERENCE = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g
/** A variable may stand for a text with variables, so deep at most: one may stand for itself. */
const DEPTH_MOST = 8
/** So many characters are filled in at most: a few variables that stand for each other many times would be endless. */
const FILLED_MOST = 4_000_000

/**
 * A text with its variables filled in, up to so many characters. What nothing sets stays as it is, and where `withSecrets` is false
 * what is secret.
 */
export function filledIn(text: string, variables: Variables, withSecrets: boolean, most = FILLED_MOST): string {
  let filled = text
  let room = most
  for (let depth = 0; depth < DEPTH_MOST && filled.includes('{{'); depth++) {
    const before = filled
    filled = before.replace(REFERENCE, (reference, name: string) => {
      const known = variables.get(name)
      if (!known || (known.isSecret && !withSecrets) || known.value.length > room) return reference
      room -= known.value.length
      return known.value
    })
    if (filled === before) break
  }
  return filled
}

/** The names of the variables in some texts, each once, in their order. What begins with `$` is made anew each time. */
export function namesIn(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name = '']) => name))
  return [...new Set(names)].filter((name) => !name.startsWith('$'))
}

/** The names of the variables in some texts, then of those in what these stand for, however deep; each once. */
export function namesWithin(texts: readonly string[], variables: Variables): readonly string[] {
  const names = new Set(namesIn(texts))
  // A set goes on with what is added on the way, so one that stands for itself ends.
  for (const name of names) for (const inner of namesIn([variables.get(name)?.value ?? ''])) names.add(inner)
  return [...names]
}

/** Whether nothing sets a variable. What begins with `$` needs nobody to. */
export const isUnset = (name: string, variables: Variables): boolean => !name.startsWith('$') && !variables.has(name)

/** So much is filled in of what a variable stands for where people read it. */
const MEANING_MOST = 2000

/** What a variable stands for, with what it refers to filled in, as people read it; of what is secret only where it is set. */
export function meaningOf(name: string, variables: Variables): string {
  if (name.startsWith('$')) return 'Made anew for each request.'
  const known = variables.get(name)
  if (!known) return 'Nothing sets this variable.'
  const value = known.isSecret ? 'Secret' : known.value === '' ? 'Empty' : known.value
  const text = filledIn(value, variables, false, MEANING_MOST)
  return `${isSecretUrl(text) ? urlMasked(text) : text} (${known.from})`
}

/** So many are offered at most. */
const OFFERED_MOST = 50

/** The variables whose names have what is typed in them, those that begin with it first. */
export function namesLike(typed: string, variables: Variables) {
  const wanted = typed.toLowerCase()
  const found = [...variables.keys()].filter((name) => name.toLowerCase().includes(wanted))
  const begins = (name: string) => Number(!name.toLowerCase().startsWith(wanted))
  return found
    .sort((a, b) => begins(a) - begins(b) || a.localeCompare(b))
    .slice(0, OFFERED_MOST)
    .map((name) => ({ name, meaning: meaningOf(name, variables) }))
}

/** A part of a text: where it has a name, a reference to a variable, or a mention. */
export interface TextPart {
  readonly text: string
  readonly name?: string
}

/** A text in parts, with each reference to a variable on its own. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: reference, 1: name = '', index } of text.matchAll(REFERENCE)) {
    if (index > at) parts.push({ text: text.slice(at, index) })
    parts.push({ text: reference, name })
    at = index + reference.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}

/**
 * Takes a text apart as it is drawn, piece by piece: each call gives the next so many characters, with what of them belongs to a
 * reference on its own.
 */
export function takingApart(text: string): (length: number) => readonly TextPart[] {
  const parts = partsOf(text)
  let index = 0
  let used = 0
  return (length) => {
    const taken: TextPart[] = []
    let left = length
    for (let part = parts[index]; part && left > 0; part = parts[index]) {
      const piece = part.text.slice(used, used + left)
      taken.push({ ...part, text: piece })
      left -= piece.length
      used += piece.length
      if (used < part.text.length) break
      index++
      used = 0
    }
    return taken
  }
}
