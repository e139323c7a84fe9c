import type { VNode } from 'preact'
import { nameIn } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { linkTo } from '../../app/route.js'
import { foldersAbove } from '../../model/outline.js'
import { isInTree, KINDS, type Kind, pathOf, type RecordRef } from '../../model/records.js'
import { ButtonLink, KindMark, Name, Show, Trail, Virtual } from '../../ui/kit.js'
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
        return (
          <Virtual class="scroll" role="list" items={members} rowHeight={ROW_PX} most_px={MOST_PX}>
            {({ kind, id, name, method }) => (
              <div role="listitem">
                <a class={`${css.item} pick row unbroken gap-5`} href={linkTo(pathOf({ kind, id, collectionId }))}>
                  <KindMark kind={kind} method={method} />
                  <Name class="cut" of={name} />
                </a>
              </div>
            )}
          </Virtual>
        )
      }}
    </Show>
  )
}

/** Where to go on from a record that is not there: what it would be in, or all of its kind; and what was deleted. */
export function onwardFrom({ kind, collectionId }: RecordRef): VNode {
  const { href, name } = homeOf(kind)
  const isInSight = collectionId && nameIn('collection', collectionId) !== undefined
  return (
    <div class="flex wrap gap-4">
      <ButtonLink href={isInSight ? linkTo(['collections', collectionId]) : href}>
        {isInSight ? 'The collection' : `All ${name.toLowerCase()}`}
      </ButtonLink>
      <ButtonLink href={linkTo(['deleted'])}>Deleted</ButtonLink>
    </div>
  )
}

/** The list that a record is found from where no collection is named. */
function homeOf(kind: Kind) {
  const listed = isInTree(kind) ? 'collection' : kind
  return { name: `${KINDS[listed].label}s`, href: linkTo(listed === 'collection' ? [] : [KINDS[listed].plural]) }
}

/** Where a record is: the way down to it. */
export function Crumbs({ record: { kind, id, collectionId } }: { readonly record: RecordRef }) {
  if (!collectionId) return <Trail steps={[homeOf(kind)]} />
  const outline = knownOf(outlineOfCollection(collectionId))
  const above = (outline ? foldersAbove(outline, id) : []).map(({ id, name }) => ({
    name,
    href: linkTo(pathOf({ kind: 'folder', id, collectionId }))
  }))
  const collection = nameIn('collection', collectionId) ?? 'Collection'
  return <Trail steps={[{ name: collection, href: linkTo(['collections', collectionId]) }, ...above]} />
}
