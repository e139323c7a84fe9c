/** The kinds of record that the console shows, with what people call one and where its routes and links are. */
export const KINDS = {
  collection: { plural: 'collections', label: 'Collection' },
  folder: { plural: 'folders', label: 'Folder' },
  request: { plural: 'requests', label: 'Request' },
  document: { plural: 'documents', label: 'Document' },
  environment: { plural: 'environments', label: 'Environment' },
  snippet: { plural: 'snippets', label: 'Snippet' },
  liveServer: { plural: 'live-servers', label: 'Live server' },
  livePage: { plural: 'live-pages', label: 'Live page' }
} as const

export type Kind = keyof typeof KINDS
export type MemberKind = 'folder' | 'request' | 'document'
/** What stands by itself, in the order in which people are told of it. */
export const ALONE = ['collection', 'environment', 'snippet', 'liveServer', 'livePage'] as const
export type AloneKind = (typeof ALONE)[number]
export const isAlone = (kind: string): kind is AloneKind => ALONE.some((one) => one === kind)

/** The account that acts for the hub itself, for migrations and for the command line: no list has it. */
export const SYSTEM_ID = '00000000-0000-0000-0000-000000000000'

export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text)
export const isMember = (kind: Kind): kind is MemberKind =>
  kind === 'folder' || kind === 'request' || kind === 'document'

/** Whether the tree shows it: a collection, or what one holds. */
export const isInTree = (kind: Kind): boolean => kind === 'collection' || isMember(kind)

/** What one of a kind is called within a sentence, and several of them. */
export const wordFor = (kind: Kind): string => KINDS[kind].label.toLowerCase()
export const wordsFor = (kind: Kind): string => `${wordFor(kind)}s`

/** What the log says was done to a record of a kind: `Updated` of `LiveServerUpdated`; null where an event is about something else. */
export function stepOf(kind: Kind, type: string): string | null {
  const subject = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  return type.startsWith(subject) ? type.slice(subject.length) : null
}

/** A record as others name it; members of a collection with that. */
export interface RecordRef {
  readonly kind: Kind
  readonly id: string
  readonly collectionId?: string | null
}

/** The path of a record's link: members stand below their collection. */
export function pathOf({ kind, id, collectionId }: RecordRef): readonly string[] {
  const own = [KINDS[kind].plural, id]
  return isMember(kind) && collectionId ? ['collections', collectionId, ...own] : own
}

/** The record that a path names; null where it names none. */
export function refOf(path: readonly string[]): RecordRef | null {
  const [first, id, second, memberId] = path
  if (first === undefined || id === undefined) return null
  if (first === 'collections' && second !== undefined && memberId !== undefined) {
    const kind = kindOf(second)
    return kind && isMember(kind) ? { kind, id: memberId, collectionId: id } : null
  }
  const kind = kindOf(first)
  return kind ? { kind, id } : null
}

function kindOf(plural: string): Kind | null {
  for (const kind of Object.keys(KINDS)) if (isKind(kind) && KINDS[kind].plural === plural) return kind
  return null
}
