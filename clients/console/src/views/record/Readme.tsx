import { useReload } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { loadRecord } from '../../app/records.js'
import { linkTo } from '../../app/route.js'
import type { Outline } from '../../model/outline.js'
import { pathOf } from '../../model/records.js'
import { Section, Show } from '../../ui/kit.js'
import { Markdown } from '../../ui/Markdown.js'

const NAME = /^readme(\.md)?$/i

/** The document at the root of a collection that tells what it is for. */
export function Readme({ collectionId }: { readonly collectionId: string }) {
  const outline = knownOf(outlineOfCollection(collectionId))
  const id = outline && readmeIn(outline)
  return id === undefined ? null : <Shown key={id} {...{ collectionId, id }} />
}

const readmeIn = ({ inside }: Outline): string | undefined =>
  inside.get(null)?.find(({ kind, name }) => kind === 'document' && NAME.test(name))?.id

function Shown({ collectionId, id }: { readonly collectionId: string; readonly id: string }) {
  const readme = useLoadable((signal) => loadRecord({ kind: 'document', id }, signal), [id])
  useReload(readme, (change) => change.id === id)
  const link = linkTo(pathOf({ kind: 'document', id, collectionId }))
  return (
    <Show of={readme}>
      {({ content }) => (
        <Section title={content.name} aside={<a href={link}>Open</a>}>
          <Markdown text={content.content} />
        </Section>
      )}
    </Show>
  )
}
