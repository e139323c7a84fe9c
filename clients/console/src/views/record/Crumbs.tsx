import { catalog } from '../../app/catalog.js'
import { outlineOfCollection } from '../../app/members.js'
import { linkTo } from '../../app/route.js'
import { foldersAbove } from '../../model/outline.js'
import { KINDS, pathOf, type RecordRef } from '../../model/records.js'
import css from './Crumbs.module.css'

/** Where a record is: the way down to it, each step a link. */
export function Crumbs({ record }: { readonly record: RecordRef }) {
  const { kind, id, collectionId } = record
  if (!collectionId) {
    const home = kind === 'collection' ? [] : [KINDS[kind].plural]
    return (
      <nav class={css.crumbs} aria-label="Where this is">
        <a href={linkTo(home)}>{KINDS[kind].label}s</a>
      </nav>
    )
  }
  const collections = catalog.collection.state.value
  const outline = outlineOfCollection(collectionId).state.value
  const collection = collections.is === 'ready' ? collections.value.find((one) => one.id === collectionId) : undefined
  const folders = outline.is === 'ready' ? foldersAbove(outline.value, id) : []
  return (
    <nav class={css.crumbs} aria-label="Where this is">
      <a href={linkTo(['collections', collectionId])}>
        <bdi>{collection?.name ?? 'Collection'}</bdi>
      </a>
      {folders.map((folder) => (
        <a key={folder.id} href={linkTo(pathOf({ kind: 'folder', id: folder.id, collectionId }))}>
          <bdi>{folder.name}</bdi>
        </a>
      ))}
    </nav>
  )
}
