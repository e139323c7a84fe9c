import { nameIn } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { linkTo } from '../../app/route.js'
import { withMarks } from '../../model/marks.js'
import { foldersAbove } from '../../model/outline.js'
import { KINDS, pathOf, type RecordRef } from '../../model/records.js'
import { Icon, Method, Show, Virtual } from '../../ui/kit.js'
import css from './record.module.css'

const ROW_PX = 40
const MOST_PX = 640

interface FolderProps {
  readonly collectionId: string
  /** Null for what stands at the collection's root. */
  readonly folderId: string | null
}

/** What is in a folder, or at the root of a collection, in order. */
export function FolderView({ collectionId, folderId }: FolderProps) {
  return (
    <Show of={outlineOfCollection(collectionId)}>
      {({ inside }) => {
        const members = inside.get(folderId) ?? []
        if (members.length === 0) return <p class="soft">Nothing in it yet.</p>
        const height = Math.min(members.length * ROW_PX, MOST_PX)
        return (
          <Virtual
            class="scroll"
            role="list"
            count={members.length}
            rowHeight={ROW_PX}
            style={{ height: `${height}px` }}
          >
            {(index) => {
              const member = members[index]
              if (!member) return null
              const { kind, id, name, method } = member
              return (
                <div role="listitem">
                  <a class={`${css.item} pick row gap-5`} href={linkTo(pathOf({ kind, id, collectionId }))}>
                    {method === undefined ? (
                      <Icon name={kind === 'folder' ? 'folder' : 'document'} />
                    ) : (
                      <Method method={method} isShort />
                    )}
                    <bdi class={css.name}>{withMarks(name)}</bdi>
                  </a>
                </div>
              )
            }}
          </Virtual>
        )
      }}
    </Show>
  )
}

/** Where a record is: the way down to it, each step a link. */
export function Crumbs({ record }: { readonly record: RecordRef }) {
  const { kind, id, collectionId } = record
  if (!collectionId) {
    const home = kind === 'collection' ? [] : [KINDS[kind].plural]
    return (
      <nav class={`${css.crumbs} flex wrap`} aria-label="Where this is">
        <a href={linkTo(home)}>{KINDS[kind].label}s</a>
      </nav>
    )
  }
  const outline = knownOf(outlineOfCollection(collectionId))
  const folders = outline ? foldersAbove(outline, id) : []
  return (
    <nav class={`${css.crumbs} flex wrap`} aria-label="Where this is">
      <a href={linkTo(['collections', collectionId])}>
        <bdi>{withMarks(nameIn('collection', collectionId) ?? 'Collection')}</bdi>
      </a>
      {folders.map((folder) => (
        <a key={folder.id} href={linkTo(pathOf({ kind: 'folder', id: folder.id, collectionId }))}>
          <bdi>{withMarks(folder.name)}</bdi>
        </a>
      ))}
    </nav>
  )
}
