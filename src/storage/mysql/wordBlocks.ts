import { giveWay } from '../../turns.js'
import type { Statement } from '../sql/dialect.js'
import { type IndexPlace, valuesOf } from '../sql/wordIndex.js'
import {
  blockOf,
  decodedSet,
  differenceOf,
  intersectionOf,
  type PositionSet,
  positionsIn,
  unionOf
} from './positionSets.js'
import { tablesOf } from './wordTables.js'

/** Behind every other character. */
const LAST = '\u{10ffff}'
/** As few words with a beginning are looked up one by one. */
const FEW = 16
/** So many rows of words with a beginning are read at once, wherever they are. */
const ROWS = 800
/** So many blocks are read at first, and each time this many times as many, up to a bound. */
const SPAN = { first: 32, times: 4, max: 512 }
/** So many positions are told at once, or little more. */
const AT_ONCE = 2000

/** Entries that have one of some words: to be looked up, or known already. */
export type Source = { readonly words: readonly string[] } | { readonly sets: ReadonlyMap<number, PositionSet> }

/** The entries with a word that begins in some way; null where there are too many such words to look them up. */
export async function sourceOfBeginning({ prefix, driver }: IndexPlace, begins: string): Promise<Source | null> {
  const { words } = tablesOf(prefix)
  const ask = (what: string, limit: number) => {
    const text = `SELECT ${what} FROM ${words} WHERE word BETWEEN ? AND ? LIMIT ?`
    return driver.query({ text, values: [begins, begins + LAST, limit], hasLimit: true })
  }
  const few = await ask('DISTINCT word', FEW + 1)
  if (few.length <= FEW) return { words: few.map(({ word }) => String(word)) }
  const rows = await ask('block, positions', ROWS + 1)
  if (rows.length > ROWS) return null
  const sets = new Map<number, PositionSet>()
  for (const { block, positions } of rows) {
    const before = sets.get(Number(block))
    const set = decodedSet(positions)
    sets.set(Number(block), before ? unionOf([before, set]) : set)
  }
  return { sets }
}

/** True where it is known that no entry is of a source. */
export function isEmpty(source: Source): boolean {
  return 'words' in source ? source.words.length === 0 : source.sets.size === 0
}

/**
 * The positions before one of the entries that are of each of `all`, of which there is one, and not of each of `none`, where there
 * are any: the last first, some at a time.
 */
export async function* positionsOf(
  place: IndexPlace,
  all: readonly Source[],
  none: readonly Source[],
  before: number
): AsyncGenerator<readonly number[], void> {
  let span = SPAN.first
  for (let end = blockOf(before - 1); end >= 0; end -= span, span = Math.min(SPAN.max, span * SPAN.times)) {
    const last = await lastShared(place, all, end)
    if (last === null) return
    end = last
    const setOf = await readBlocks(place, [...all, ...none], Math.max(0, end - span + 1), end)
    let found: number[] = []
    for (let block = end; block > end - span && block >= 0; block--) {
      const having = intersectionOf(all.map((source) => setOf(source, block)))
      const excluded = none.map((source) => setOf(source, block))
      const wanted = none.length > 0 ? differenceOf(having, intersectionOf(excluded)) : having
      found.push(...positionsIn(block, wanted).filter((position) => position < before))
      if (found.length >= AT_ONCE) {
        yield found
        found = []
      }
      await giveWay()
    }
    if (found.length > 0) yield found
  }
}

/** A block at `end` or before it, behind which some source has nothing up to `end`; null where one has nothing at all. */
async function lastShared(
  { prefix, driver }: IndexPlace,
  sources: readonly Source[],
  end: number
): Promise<number | null> {
  const { words: table } = tablesOf(prefix)
  const { values, value } = valuesOf(driver.dialect)
  const lasts = new Map<number, number>()
  const texts: string[] = []
  for (const [i, source] of sources.entries()) {
    if ('words' in source) {
      for (const word of source.words) {
        texts.push(
          `(SELECT ${i} AS source, MAX(block) AS block FROM ${table} WHERE word = ${value(word)} AND block <= ${value(end)})`
        )
      }
    } else {
      for (const block of source.sets.keys()) if (block <= end) lasts.set(i, Math.max(block, lasts.get(i) ?? block))
    }
  }
  const rows = texts.length > 0 ? await driver.query({ text: texts.join(' UNION ALL '), values }) : []
  for (const { source, block } of rows) {
    if (block === null) continue
    lasts.set(Number(source), Math.max(Number(block), lasts.get(Number(source)) ?? 0))
  }
  return lasts.size < sources.length ? null : Math.min(...lasts.values())
}

/** Reads what sources have in some blocks. */
async function readBlocks(
  { prefix, driver }: IndexPlace,
  sources: readonly Source[],
  from: number,
  through: number
): Promise<(source: Source, block: number) => PositionSet> {
  const words = [...new Set(sources.flatMap((source) => ('words' in source ? source.words : [])))]
  const asked: Statement = {
    text: `SELECT word, block, positions FROM ${tablesOf(prefix).words} WHERE word IN (?) AND block BETWEEN ? AND ?`,
    values: [words, from, through]
  }
  const sets = new Map<string, PositionSet>()
  const keyOf = (word: string, block: number) => `${block} ${word}`
  for (const { word, block, positions } of words.length > 0 ? await driver.query(asked) : []) {
    sets.set(keyOf(String(word), Number(block)), decodedSet(positions))
  }
  return (source, block) => {
    const some = 'words' in source ? source.words.map((word) => sets.get(keyOf(word, block))) : [source.sets.get(block)]
    return unionOf(some.filter((set) => set !== undefined))
  }
}
