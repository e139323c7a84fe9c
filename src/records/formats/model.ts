import { z } from 'zod'
import type { CollectionContent } from '../../../commands/records/collection/fields.js'
import type { RequestContent, SubmittedRequest } from '../../../commands/records/request/fields.js'
import type { Frozen } from '../../lib/frozen.js'

/** A collection as formats describe it: what imports make of a file, and what exports make a file of. */
export interface CollectionTree {
  readonly name: string
  /** What its source calls it by; null where that says nothing. In an export the id of the collection. */
  readonly sourceId: string | null
  readonly settings: CollectionSettings
  readonly items: readonly Item[]
}

/** What belongs to the collection as a whole. */
export type CollectionSettings = Pick<
  CollectionContent,
  'variables' | 'headers' | 'auth' | 'preRequestScript' | 'postRequestScript'
>

/** What is in a container, in its order. Folders have an order of their own among these; the others share one. */
export type Item = FolderItem | RequestItem | DocumentItem

export interface FolderItem {
  readonly kind: 'folder'
  readonly sourceId: string | null
  readonly name: string
  readonly items: readonly Item[]
}

export interface RequestItem {
  readonly kind: 'request'
  readonly sourceId: string | null
  readonly content: RequestFields
  /** What a file fills in for variables in the path of the URL; absent where it says nothing. */
  readonly pathValues?: readonly Pick<KeyValue, 'key' | 'value'>[]
}

export interface DocumentItem {
  readonly kind: 'document'
  readonly sourceId: string | null
  readonly name: string
  readonly content: string
}

/** An environment as a file describes it. */
export interface EnvironmentOfFile {
  /** What its source calls it by, wherever it is exported from; null where that says nothing. */
  readonly sourceId: string | null
  readonly name: string
  readonly variables: readonly Variable[]
  /** The key of the one of the same file whose variables it adds to; null for none. */
  readonly parent: string | null
}

/** What the environments of one file are told apart by. */
export const environmentKey = ({ sourceId, name }: Pick<EnvironmentOfFile, 'sourceId' | 'name'>): string =>
  sourceId ?? name

/** What a request is to send, and what belongs to it. */
export type RequestFields = Omit<SubmittedRequest, 'marker'>
export type Auth = RequestContent['auth']
export type KeyValue = RequestContent['headers'][number]
export type Variable = CollectionSettings['variables'][number]

/** The value of a header, whatever the case of its name; undefined where it is not there or not sent. */
export function headerOf(headers: readonly (Pick<KeyValue, 'key' | 'value'> & Partial<KeyValue>)[], name: string) {
  return headers.find(({ key, enabled = true }) => enabled && key.toLowerCase() === name)?.value
}

/** The document that is the description of the container that it stands in, in formats that have descriptions. */
export const README = 'README.md'

/** Something that could not be carried over: how often, and the first of the places. */
export const note = z.object({
  what: z.string().describe('What cannot be carried over, as a text for people.'),
  count: z.number().describe('How often it is there.'),
  places: z.array(z.string()).describe('Where it is, at the first places.')
})
export type Note = Frozen<z.infer<typeof note>>

/** Gathers what could not be carried over: each thing once, with its places. */
export interface Notes {
  add(place: string, what: string): void
  list(): readonly Note[]
}

/** So many places of one thing are named, so many things, and so much of a place. */
const PLACES = 20
const THINGS = 500
const PLACE_MAX = 1000

/** Notes that begin empty. */
export function newNotes(): Notes {
  const found = new Map<string, { count: number; readonly places: string[] }>()
  return {
    add(place, what) {
      const key = found.has(what) || found.size < THINGS ? what : 'More could not be carried over than is listed here.'
      const note = found.get(key) ?? { count: 0, places: [] }
      note.count++
      if (note.places.length < PLACES) note.places.push(place.slice(0, PLACE_MAX).toWellFormed())
      found.set(key, note)
    },
    list: () => [...found].map(([what, note]) => ({ what, ...note }))
  }
}

/** How a place inside a collection is told. */
export const placeIn = (path: readonly string[]): string => path.join(' / ') || 'the collection'

/** Every item of a tree, containers before what is in them, with the names of the folders that it is in. */
export function* itemsOf(
  items: readonly Item[],
  path: readonly string[] = []
): Generator<{ readonly item: Item; readonly path: readonly string[] }, void> {
  for (const item of items) {
    yield { item, path }
    if (item.kind === 'folder') yield* itemsOf(item.items, [...path, item.name])
  }
}
