import type { Query } from '@google-cloud/firestore'
import { slices } from '../../limits.js'
import {
  type FoundEntry,
  type IndexQuery,
  isWanted,
  type SearchEntry,
  type SearchIndex,
  type Term
} from '../searchIndex.js'
import type { Client, Document } from './client.js'
import { Refused } from './errors.js'
import { documentId, rowId, SEARCH_ENTRIES, SEARCH_PROGRESS } from './layout.js'
import { integerOf, textOf, textsOf } from './values.js'
import { requestSize, type Write } from './writes.js'

type Condition = (entries: Query) => Query

const WRITES_MAX = 200
const BYTES_MAX = 2 * 1024 * 1024
/** So many terms of an entry are found by their beginnings too: those that come first. */
const BEGINNINGS_OF = 300
const BEGINNING_MIN = 2
const BEGINNING_MAX = 20
/** A condition takes so many values at most. */
const SCOPES_AT_ONCE = 30
const PAGE = 100
/** So many pages are gone through for one answer, in which one of the terms is but perhaps not the others. */
const PAGES_MAX = 20

/**
 * A search index beside a log. Firestore looks one term up at a time: of several the longest, and the others are looked for in what
 * that finds. A beginning is found where it is a key of its own.
 */
export function firestoreSearchIndex(client: Client, aside: string): SearchIndex {
  const progressName = `${aside}/${SEARCH_PROGRESS}/1`
  const nameOf = (id: string) => `${aside}/${SEARCH_ENTRIES}/${documentId(id)}`
  const put = (entry: SearchEntry): Write => {
    const { id, ...fields } = entry
    return { set: nameOf(id), fields: { ...fields, keys: keysOf(entry.terms) } }
  }
  const read = async () => (await client.get([progressName])).documents[0]

  /** The first entries of a query under one more condition on what they belong to. */
  const findUnder = async (query: IndexQuery, under: Condition): Promise<readonly FoundEntry[]> => {
    const found: FoundEntry[] = []
    let { before } = query
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const last = before
      const asked = (all: Query) => {
        const with_ = under(all.where('keys', 'array-contains', keyOf(rarest(query.all))))
        return (last === undefined ? with_ : with_.where('position', '<', last)).orderBy('position', 'desc').limit(PAGE)
      }
      const { documents } = await client.query((store) =>
        asked(store.collection(`${aside}/${SEARCH_ENTRIES}`)).select('position', 'kind', 'area', 'scope', 'terms')
      )
      const page = documents.map(entryIn)
      for (const entry of page) if (isWanted(query, entry)) found.push({ id: entry.id, position: entry.position })
      before = page.at(-1)?.position
      if (page.length < PAGE || found.length >= query.limit) break
    }
    return found.slice(0, query.limit)
  }

  return {
    async progress() {
      const fields = (await read())?.fields ?? {}
      return {
        turn: integerOf(fields.turn) ?? 0,
        position: integerOf(fields.position) ?? 0,
        note: textOf(fields.note) ?? ''
      }
    },
    async apply(over, to, { put: entries, remove }) {
      const writes = [...remove.map((id): Write => ({ remove: nameOf(id) })), ...entries.map(put)]
      const parts = [...slices(writes, WRITES_MAX, BYTES_MAX, (write) => requestSize([write]))]
      const last = Math.max(0, parts.length - 1)
      for (let part = 0; part <= last; part++) {
        const document = await read()
        const turn = over.turn + part
        if ((document ? (integerOf(document.fields.turn) ?? 0) : 0) !== turn) return null
        // What is done in several requests is done when the last one is: until then it can be done again.
        const { position, note } = part === last ? to : over
        const fields = { turn: turn + 1, position, note }
        const own: Write = document
          ? { update: progressName, fields, writtenAt: document.updateTime }
          : { create: progressName, fields }
        try {
          await client.commit([own, ...(parts[part] ?? [])])
        } catch (error) {
          if (error instanceof Refused) return null
          throw error
        }
      }
      return { ...to, turn: over.turn + last + 1 }
    },
    async some(limit) {
      const { documents } = await client.query((store) =>
        store.collection(`${aside}/${SEARCH_ENTRIES}`).limit(limit).select()
      )
      return documents.map(({ path }) => rowId(path))
    },
    async find(query) {
      const found = await Promise.all(conditionsOf(query).map((under) => findUnder(query, under)))
      return found
        .flat()
        .sort((a, b) => b.position - a.position)
        .slice(0, query.limit)
    }
  }
}

/** The conditions on what entries belong to, one for each question that Firestore can be asked. An entry is within one of them. */
function conditionsOf({ reach }: IndexQuery): readonly Condition[] {
  if (!reach) return [(all) => all]
  const areas = [...slices(reach.areas, SCOPES_AT_ONCE)].map(
    (some): Condition =>
      (all) =>
        all.where('area', 'in', some)
  )
  const scopes = [...slices(reach.scopes, SCOPES_AT_ONCE)].map(
    (some): Condition =>
      (all) =>
        all.where('scope', 'in', some)
  )
  return [...areas, ...scopes]
}

function rarest(terms: readonly Term[]): Term {
  const [first, ...others] = terms
  if (!first) throw new TypeError('A search asks for one term at least.')
  return others.reduce((longest, term) => (term.text.length > longest.text.length ? term : longest), first)
}

/** The key under which all entries stand that have a term, and perhaps others. */
function keyOf({ text, isPrefix }: Term): string {
  return isPrefix ? [...text].slice(0, BEGINNING_MAX).join('') : text
}

function keysOf(terms: readonly string[]): readonly string[] {
  const keys = new Set(terms)
  for (const term of terms.slice(0, BEGINNINGS_OF)) {
    const characters = [...term]
    const most = Math.min(characters.length, BEGINNING_MAX)
    for (let end = BEGINNING_MIN; end <= most; end++) keys.add(characters.slice(0, end).join(''))
  }
  return [...keys]
}

function entryIn({ path, fields }: Document): SearchEntry {
  return {
    id: rowId(path),
    position: integerOf(fields.position) ?? 0,
    kind: textOf(fields.kind) ?? '',
    area: textOf(fields.area) ?? '',
    scope: textOf(fields.scope) ?? '',
    terms: textsOf(fields.terms)
  }
}
