import type { Face } from './faces.js'
import { fieldInSentence, isTechnical } from './fieldNames.js'
import { isMember, type Kind, stepOf } from './records.js'
import { listed } from './words.js'

/** One version of a record: who did what to it, and when. */
export interface Version {
  /** Counts the versions of the record from 1; null where only the log is seen, which does not count them. */
  readonly version: number | null
  /** The place of its event in the log. */
  readonly position: number
  readonly at: string
  readonly type: string
  /** The name is null where it is erased. */
  readonly by: { readonly id: string; readonly name: string | null; readonly avatar?: Face | undefined }
  /** The fields that differ from the version before. */
  readonly changed: readonly string[]
  /** Whether the record was gone after it. */
  readonly isDeleted: boolean
  /** Whether nobody can tell any more what it did. */
  readonly isErased: boolean
  /** The place of the event that it repeated or took back. */
  readonly causation: number | null
}

/** What an address calls a version by: its number or, where nobody counts them, its place in the log. */
export const numberOf = ({ version, position }: Version): number => version ?? position

const FIELDS_MOST = 3

/** What a version did, as a sentence behind the name of who did it. `known` are other versions of the record. */
export function whatHappened(kind: Kind, version: Version, known: readonly Version[] = []): string {
  const { type, isErased } = version
  if (isErased) return 'did something that is erased since'
  const step = stepOf(kind, type)
  if (step === null) return ELSEWHERE[type] ?? spoken(type)
  if (step === 'Moved') return moved(version)
  return step === 'Updated' ? updated(version, known) : (STEPS[step] ?? spoken(step))
}

const STEPS: Readonly<Record<string, string>> = {
  Created: 'created it',
  Imported: 'imported it',
  Restored: 'brought it back',
  Deleted: 'deleted it',
  DeletionLocked: 'locked it against deletion',
  DeletionUnlocked: 'unlocked it'
}

/** Events of something else that took the record along, or are told beside it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  FolderDeleted: 'deleted it with its folder',
  CollectionDeleted: 'deleted it with its collection',
  FoldersReordered: 'changed the order of what is in it',
  ItemsReordered: 'changed the order of what is in it',
  DeletionRefused: 'tried to delete it'
}

function moved({ changed }: Version): string {
  if (changed.includes('collectionId')) return 'moved it to another collection'
  const isInOther = changed.includes('folderId') || changed.includes('parentFolderId')
  return isInOther ? 'moved it to another folder' : 'changed its place'
}

const PLACES = new Set(['collectionId', 'folderId', 'parentFolderId', 'sortOrder'])

function updated(version: Version, known: readonly Version[]): string {
  const { causation, changed } = version
  if (causation !== null) {
    const again = known.find(({ position }) => position === causation)?.version
    return again ? `restored version ${again}` : 'put back what it was before'
  }
  const fields = changed.filter((field) => !isTechnical(field))
  if (fields.length === 0) return 'saved it as it was'
  if (fields.every((field) => PLACES.has(field))) return moved(version)
  if (fields.length === 1 && fields[0] === 'name') return 'renamed it'
  const named = fields.filter((field) => field !== 'sortOrder').map(fieldInSentence)
  const left = named.length - FIELDS_MOST
  // "And 1 more" would take the place of its name.
  return `changed ${listed(left > 1 ? [...named.slice(0, FIELDS_MOST), `${left} more`] : named)}`
}

/** `SourceImported` as people write it. */
const spoken = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

/** Whether there is something to see of the record at a version. */
export const isSeen = ({ isDeleted, isErased }: Version): boolean => !isDeleted && !isErased

/** The newest version that had come by a moment: a time, or a place in the log. The versions are given newest first. */
export function versionAt(versions: readonly Version[], at: string): Version | undefined {
  if (/^\d+$/.test(at)) return versions.find(({ position }) => position <= Number(at))
  const time = Date.parse(at)
  return versions.find((version) => Date.parse(version.at) <= time)
}

/** The versions that an address chooses, in the order in which they were chosen: two at most. */
export function chosenVersions(text: string | null): readonly number[] {
  const chosen = (text ?? '').split(',').filter((part) => /^[1-9]\d{0,8}$/.test(part))
  return [...new Set(chosen.map(Number))].slice(-2)
}

/** The choice with a version taken in, or out where it was in it: of three the one that was chosen first goes. */
export function chosenWith(chosen: readonly number[], version: number): readonly number[] {
  return chosen.includes(version) ? chosen.filter((one) => one !== version) : [...chosen, version].slice(-2)
}

/** The most recent first, each once: what has just been read before what was known. */
export function mergedVersions(newest: readonly Version[], known: readonly Version[]): readonly Version[] {
  const last = newest.at(-1)
  if (!last || !known[0] || known[0].position < last.position) return newest
  return [...newest, ...known.filter(({ position }) => position < last.position)]
}

/** Fields that a restore leaves as they are; of a folder it puts back only what the folder itself says. */
const LEFT = new Set(['collectionId', 'deletionLocked'])
const OF_FOLDERS = new Set(['name', 'marker'])

/** Whether a restore of such a record puts this field back. `path` is a JSON Pointer. */
export function isPutBack(kind: Kind, path: string): boolean {
  const field = path.split('/')[1] ?? ''
  if (kind === 'folder') return OF_FOLDERS.has(field)
  // The place of what stands by itself is its own; that of others is one among siblings.
  return !LEFT.has(field) && !isTechnical(field) && (field !== 'sortOrder' || !isMember(kind))
}
