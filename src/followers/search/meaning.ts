import type Database from 'libsql'
import { z } from 'zod'
import { remembered } from '../../lib/remembered.js'
import { LIMITS } from '../../limits.js'
import { subjectOf } from '../../log/event.js'
import { Corrections, type Variant } from './nearby.js'
import type { Term, Tier, Wanted } from './question.js'
import { folderTag, PARTS, scopeTag } from './terms.js'

/** The statements of a database by their texts, each prepared once. */
export type Statements = (text: string) => Database.Statement

/** What FTS5 is asked for: terms, as it writes them. */
type Phrases = readonly string[]

/** Finds the newest records of some kinds that an expression finds, and that whoever asks may see. */
export type FindHolders = (expression: string, limit: number) => readonly string[]

/** Folders that are in these, at any depth, and these. `inside` is set of folders alone. */
const NESTED = `WITH RECURSIVE held (id) AS (
    SELECT value FROM json_each(?) UNION SELECT r.id FROM held JOIN records AS r ON r.inside = held.id
  ) SELECT id FROM held LIMIT ?`
const idRow = z.object({ id: z.string() })
/** The first term from one on. To look for one reads a page of each segment, so as few are looked for as will do. */
const FROM = 'SELECT term FROM vocabulary WHERE term >= ? ORDER BY term LIMIT 1'

const termRow = z.object({ term: z.string() })

/**
 * What the terms of one question stand for: in which folders and collections it finds what they hold, and which words differ in a
 * letter. Folders are looked up when somebody asks: where one is renamed or moved, nothing changes in the index but its own record,
 * however many requests it has.
 */
export class Meaning {
  readonly #statements: Statements
  readonly #findHolders: FindHolders
  readonly #corrections = new Corrections()
  /** The words that names of folders may have, and so many folders of each. */
  readonly #names: readonly Term[]
  readonly #most: number

  constructor(statements: Statements, findHolders: FindHolders, tiers: readonly Tier[]) {
    this.#statements = statements
    this.#findHolders = findHolders
    const names = tiers.flatMap(({ wanted }) => heldIn(wanted)).map(nameOf)
    this.#names = [...new Map(names.map((name) => [name.text, name])).values()]
    this.#most = Math.floor(LIMITS.searchFolders.max / Math.max(1, this.#names.length))
  }

  /** The expression for what is wanted. */
  expressionOf(wanted: Wanted): string {
    if ('all' in wanted)
      return joined(
        wanted.all.map((one) => this.expressionOf(one)),
        'AND'
      )
    if ('any' in wanted)
      return joined(
        wanted.any.map((one) => this.expressionOf(one)),
        'OR'
      )
    const { isHeld } = wanted
    return joined([...this.#written(wanted), ...(isHeld ? this.#holdersOf(wanted) : [])], 'OR')
  }

  /** True where some term of this finds something in this way beside itself. */
  adds(wanted: Wanted, way: 'isHeld' | 'isNear'): boolean {
    if ('all' in wanted) return wanted.all.some((one) => this.adds(one, way))
    if ('any' in wanted) return wanted.any.some((one) => this.adds(one, way))
    if (!wanted[way]) return false
    const { text, isPrefix } = wanted
    return way === 'isHeld'
      ? this.#holdersOf(wanted).length > 0
      : this.#variantsOf({ text: text.slice(1), isPrefix }).length > 0
  }

  /** A term and, where that is wanted, those near it. */
  #written({ text, isPrefix, isNear }: Term): Phrases {
    const [part = '', word] = [text.slice(0, 1), text.slice(1)]
    const near = isNear ? this.#variantsOf({ text: word, isPrefix }) : []
    return [phrase(text, isPrefix), ...near.map((one) => phrase(part + one.text, one.isPrefix))]
  }

  /** What differs in a letter, as far as it is in the index. */
  readonly #variantsOf = remembered(
    ({ text, isPrefix }: Variant) => variantsUsed(this.#statements, this.#corrections.of(text, isPrefix)),
    ({ text, isPrefix }) => `${text} ${isPrefix}`
  )

  /** The tags of what is in folders and collections whose names have a term. */
  readonly #holdersOf = remembered(
    (term: Term): Phrases => {
      const found = this.#named({ ...nameOf(term), isNear: term.isNear === true })
      const folders = found.filter((id) => id.startsWith('folder-'))
      const nested = folders.length > 0 ? this.#ids(NESTED, JSON.stringify(folders), this.#most) : []
      const tags = [
        ...found.filter((id) => !id.startsWith('folder-')).map(scopeTag),
        ...nested.map((id) => folderTag(subjectOf(id)))
      ]
      return tags.slice(0, this.#most).map((tag) => phrase(tag, false))
    },
    (term) => JSON.stringify([nameOf(term), term.isNear === true])
  )

  /** Folders and collections whose names have a term: those that have other words of the question, too, and then the newest. */
  #named(name: Term): readonly string[] {
    const expression = this.expressionOf(name)
    const others = this.#names.filter(({ text }) => text !== name.text).map((one) => this.expressionOf(one))
    const both = `(${expression} AND ${joined(others, 'OR')})`
    const first = others.length > 0 ? this.#findHolders(both, this.#most) : []
    const rest = first.length < this.#most ? this.#findHolders(expression, this.#most) : []
    return [...new Set([...first, ...rest])].slice(0, this.#most)
  }

  #ids(text: string, ...values: readonly (string | number)[]): readonly string[] {
    const rows: unknown[] = this.#statements(text).all([...values])
    return rows.map((row) => idRow.parse(row).id)
  }
}

/** The terms of this that folders may have in its place. */
function heldIn(wanted: Wanted): readonly Term[] {
  if ('all' in wanted) return wanted.all.flatMap(heldIn)
  if ('any' in wanted) return wanted.any.flatMap(heldIn)
  return wanted.isHeld ? [wanted] : []
}

/** The term of names that have the word of a term. */
function nameOf({ text, isPrefix }: Term): Term {
  return { text: PARTS.name + text.slice(1), isPrefix }
}

/**
 * Those of some words that the index has, or that a word of it begins with. They are gone through in the order of terms: whatever
 * stands before the next term that there is, is none.
 */
function variantsUsed(statements: Statements, variants: readonly Variant[]): readonly Variant[] {
  const sorted = variants.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  const used: Variant[] = []
  let i = 0
  for (let one = sorted[i]; one; one = sorted[i]) {
    const row: unknown = statements(FROM).get(PARTS.record + one.text)
    if (row === undefined) break
    const { term } = termRow.parse(row)
    if (!term.startsWith(PARTS.record)) break
    const word = term.slice(PARTS.record.length)
    for (; one && one.text <= word; one = sorted[++i])
      if (one.isPrefix ? word.startsWith(one.text) : word === one.text) used.push(one)
  }
  return used
}

/** A term as FTS5 takes it. */
export function phrase(term: string, isPrefix: boolean): string {
  return `"${term.replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`
}

/** Several expressions as one. */
export function joined(expressions: readonly string[], by: 'AND' | 'OR'): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(` ${by} `)})`
}
