import { outlineOfCollection } from '../../app/members.js'
import { linkTo } from '../../app/route.js'
import { pathOf } from '../../model/records.js'
import { Icon } from '../../ui/Icon.js'
import { Method } from '../../ui/Method.js'
import { Show } from '../../ui/Show.js'
import { Virtual } from '../../ui/Virtual.js'
import css from './FolderView.module.css'

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
        if (members.length === 0) return <p class={css.empty}>Nothing in it yet.</p>
        const height = Math.min(members.length * ROW_PX, MOST_PX)
        return (
          <Virtual
            class={css.list}
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
                  <a class={css.item} href={linkTo(pathOf({ kind, id, collectionId }))}>
                    {method === undefined ? (
                      <Icon name={kind === 'folder' ? 'folder' : 'document'} />
                    ) : (
                      <Method method={method} isShort />
                    )}
                    <bdi class={css.name}>{name}</bdi>
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
