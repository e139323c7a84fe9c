import type { Schemas } from '@collections-hub/client'
import {
  type ExportedKind,
  type ExportFormat,
  type ExportPreview,
  type ImportReport,
  isExportPreview,
  TOGETHER_MOST
} from '../model/importing.js'
import { bytes } from '../model/numbers.js'
import { KINDS } from '../model/records.js'
import { changeableCollections } from './catalog.js'
import { dataUrlOf } from './drawFace.js'
import { type Folder, packed } from './folders.js'
import { mayCreate, mayEdit } from './records.js'
import { ask, hub, ofSession } from './session.js'

/** A file, or a folder of files. */
export type Importable = File | Folder

/** What somebody wants to import, if they have chosen it, and the collection that it goes into; null for a new one. */
interface ImportWish {
  readonly what: Importable | null
  readonly into: string | null
  /** What came together with it, and has its turn behind it. */
  readonly rest?: readonly Importable[]
  /** How many more came than are gone through. */
  readonly leftOut?: number
}

/** A file yet to be chosen, for a new collection. */
export const ANY_FILE: ImportWish = { what: null, into: null }

/** The import that is being prepared. */
export const importing = ofSession<ImportWish | null>(null)

/** Prepares the import of these, one after another, before what waits already. */
export function importTogether([what, ...others]: readonly Importable[]): void {
  if (!what) return
  const { into = null, rest = [] } = importing.peek() ?? {}
  const all = [...others, ...rest]
  const waiting = all.slice(0, TOGETHER_MOST - 1)
  importing.value = { what, into, rest: waiting, leftOut: all.length - waiting.length }
}

/** Goes on with what came together with the last one, or ends. */
export function importNext(): void {
  const { into = null, rest: [what, ...rest] = [] } = importing.peek() ?? {}
  importing.value = what ? { what, into, rest } : null
}

/** Leaves out what came together with the one that is being prepared. */
export function importOnlyThis(): void {
  const wish = importing.peek()
  if (wish) importing.value = { what: wish.what, into: wish.into }
}

/** Whether there is anything that a file can go into: a collection that the caller may change, or a new one. */
export const mayImport = (): boolean =>
  mayEdit() && (mayCreate('collection') || mayCreate('environment') || changeableCollections().length > 0)

/** The content of a file, in the form in which the hub takes it. */
export type Source = Pick<Schemas['ImportCollectionBody'], 'content' | 'encoding'>
/** How a file is imported; what is left out is the hub's to choose. */
export type ImportChoices = Pick<
  Schemas['ImportCollectionBody'],
  'collectionId' | 'prune' | 'overwrite' | 'format' | 'part'
>

/** A file is read into memory before the hub can refuse it; what the hub takes is less. */
const FILE_MAX_BYTES = 64_000_000
/** A large import is one commit. */
const PATIENCE_MS = 180_000

/** What is to be imported, and what of it is left out, in sentences. Throws a sentence where it cannot be read. */
export async function sourceOf(what: Importable) {
  if (what instanceof File) return { source: await sourceOfFile(what), leftOut: [] }
  const folder = await packed(what).catch(() => null)
  if (!folder)
    throw new UnreadableFile(`${what.name} could not be read: something in it has gone, or is not open to you.`)
  return { source: await sourceOfFile(folder.file), leftOut: folder.leftOut }
}

/** Reads a file: as its text, or where it is no text as its bytes. */
async function sourceOfFile(file: File): Promise<Source> {
  if (file.size > FILE_MAX_BYTES)
    throw new UnreadableFile(
      `${file.name} has ${bytes(file.size)}. That is more than any hub takes: split it, or unpack it and import what is in it.`
    )
  try {
    const content = await file.arrayBuffer()
    return textIn(content) ?? { content: await base64Of(file), encoding: 'base64' }
  } catch {
    throw new UnreadableFile(`${file.name} could not be read: it has gone, or is not open to you.`)
  }
}

/** Why a file is no source, in words for people. */
export class UnreadableFile extends Error {}

function textIn(content: ArrayBuffer): Source | null {
  try {
    return { content: new TextDecoder('utf-8', { fatal: true }).decode(content), encoding: 'utf8' }
  } catch {
    return null
  }
}

async function base64Of(file: File): Promise<string> {
  const url = await dataUrlOf(file)
  return url.slice(url.indexOf(',') + 1)
}

/** What an import would do; nothing is changed. */
export function previewImport(source: Source, choices: ImportChoices, signal: AbortSignal): Promise<ImportReport> {
  const body = { ...source, ...choices }
  return ask('POST', '/collections/import', { query: { preview: 'true' }, body, signal, timeout_ms: PATIENCE_MS })
}

/** Imports, and tells what it has done. */
export function runImport(source: Source, choices: ImportChoices): Promise<ImportReport> {
  const body = { ...source, ...choices }
  return ask('POST', '/collections/import', { query: { preview: 'false' }, body, timeout_ms: PATIENCE_MS })
}

const EXPORT_PATIENCE_MS = 120_000

/** What a record would be as a file, and what that has no place for; of a collection, where records in it are named, these alone. */
export async function previewExport(
  kind: ExportedKind,
  id: string,
  format: ExportFormat,
  signal: AbortSignal,
  only?: readonly string[] | null
): Promise<ExportPreview> {
  const query = { format, preview: 'true', ...(only && { only: only.join() }) } as const
  const options = { path: { id }, query, signal, timeout_ms: EXPORT_PATIENCE_MS }
  const body = await ask('GET', `/${KINDS[kind].plural}/{id}/export`, options)
  if (!isExportPreview(body)) throw new TypeError('The hub has answered something else than a preview.')
  return body
}

/** A record, or what is named of a collection, as a file, and what that is called. */
export async function exported(kind: ExportedKind, id: string, format: ExportFormat, only?: readonly string[] | null) {
  const query = { format, ...(only && { only: only.join() }) }
  const options = { path: { id }, query, timeout_ms: EXPORT_PATIENCE_MS }
  const { name, type, bytes } = (await hub().download(`/${KINDS[kind].plural}/{id}/export`, options)).body
  return { name: name ?? `${kind}.${format}`, file: new Blob([bytes], { type: type ?? 'application/octet-stream' }) }
}
