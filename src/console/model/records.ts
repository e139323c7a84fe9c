/** The kinds of record that the console shows, with what people call one and where its routes and links are. */
export const KINDS = {
  collection: { plural: 'collections', label: 'Collection' },
  folder: { plural: 'folders', label: 'Folder' },
  request: { plural: 'requests', label: 'Request' },
  document: { plural: 'documents', label: 'Document' },
  environment: { plural: 'environments', label: 'Environment' },
  snippet: { plural: 'snippets', label: 'Snippet' }
} as const

export type Kind = keyof typeof KINDS
export type Plural = (typeof KINDS)[Kind]['plural']
export type MemberKind = 'folder' | 'request' | 'document'

export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text)
export const isMember = (kind: Kind): kind is MemberKind =>
  kind === 'folder' || kind === 'request' || kind === 'document'

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
