import { useState } from 'preact/hooks'
import { choose } from '../../app/chosen.js'
import { importing } from '../../app/importing.js'
import { moveMember } from '../../app/members.js'
import { mayOpenInDesktop } from '../../app/ownTokens.js'
import { collectionOf, duplicate, isItem, type Loaded, mayChange, mayDuplicate } from '../../app/records.js'
import { goingOn, linkTo } from '../../app/route.js'
import { positionOf } from '../../model/moving.js'
import { isInTree, isMember, type Kind, pathOf, type RecordRef, wordFor } from '../../model/records.js'
import { Button, CopyField, copyText, Dialog, Menu, tellFailure, toast } from '../../ui/kit.js'
import { IN_DESKTOP } from '../account/inDesktop.js'
import { movingOf, outlineAround } from '../browse/moves.js'
import { ExportDialog } from '../files/ExportDialog.js'
import { type Offer, useOffers } from '../offered.js'
import { DeleteDialog } from './DeleteDialog.js'
import { MoveDialog } from './MoveDialog.js'
import { RenameDialog } from './RenameDialog.js'

/** What is done with a record as a whole. */
export function RecordMenu({ record, loaded }: { readonly record: RecordRef; readonly loaded: Loaded }) {
  const [open, setOpen] = useState<'rename' | 'move' | 'delete' | 'export' | 'link' | null>(null)
  const close = () => setOpen(null)
  const { name } = loaded.content
  // Who only looks at a record gets out of it what it holds, and puts nothing in.
  const isMine = mayChange({ id: record.id, collectionId: collectionOf(loaded) })
  const moving = movingOf(record)
  const { kind } = record
  const saved = kind === 'collection' || kind === 'environment' ? kind : null
  const outline = open === 'move' && moving ? outlineAround(moving) : null
  const copyLink = async () => {
    if (await copyText(location.href)) toast('The link is copied. Who may see the record can open it.')
    else setOpen('link')
  }
  const offers: readonly Offer[] = [
    { label: 'Copy the link', icon: 'copy', act: copyLink } as const,
    ...(isMine ? [{ label: 'Rename…', icon: 'edit', act: () => setOpen('rename') } as const] : []),
    ...(mayDuplicate(loaded)
      ? [{ label: 'Duplicate', icon: 'plus', act: () => copyOf(loaded).catch(tellFailure) } as const]
      : []),
    ...(isMine && isMember(record.kind) ? [{ label: 'Move…', icon: 'move', act: () => setOpen('move') } as const] : []),
    ...(isInTree(record.kind)
      ? [{ label: 'Choose several…', icon: 'check', act: () => choose([{ ...record, name }]) } as const]
      : []),
    ...(isMine && record.kind === 'collection' ? [importInto(record.id)] : []),
    ...(saved ? [{ label: 'Export…', icon: 'export', act: () => setOpen('export') } as const] : []),
    ...(isMine ? [{ label: 'Delete…', icon: 'deleted', isDanger: true, act: () => setOpen('delete') } as const] : [])
  ]
  useOffers(name, offers)
  return (
    <>
      <Menu
        label={`More with this ${wordFor(record.kind)}`}
        items={mayOpenInDesktop() ? offers.toSpliced(1, 0, IN_DESKTOP) : offers}
      />
      {moving && outline && (isItem(loaded) || loaded.kind === 'folder') && (
        <MoveDialog {...{ moving, outline, close }} item={loaded} />
      )}
      {open === 'rename' && <RenameDialog {...{ record, name, close }} />}
      {open === 'export' && saved && <ExportDialog kind={saved} id={record.id} {...{ name, close }} />}
      {open === 'delete' && <DeleteDialog {...{ record, loaded, close }} />}
      {open === 'link' && (
        <Dialog title="Copy the link" close={close} actions={<Button onClick={close}>Done</Button>}>
          <CopyField label="Link" value={location.href} />
          <p>Who may see the record can open it.</p>
        </Dialog>
      )}
    </>
  )
}

const importInto = (id: string) =>
  ({ label: 'Import into it…', icon: 'import', act: () => (importing.value = { what: null, into: id }) }) as const

/** What there is to know of a copy of a kind. */
const IN_COPY: Readonly<Partial<Record<Kind, string>>> = {
  collection: 'It has all that the collection holds, secret values too. Discussions and the history stay there.',
  folder: 'It has all that the folder holds, secret values too. Discussions and the history stay there.',
  environment: 'It has all values of the other one, secret ones too.'
}

/** Makes another of it right behind it, and opens that. */
async function copyOf(loaded: Loaded): Promise<void> {
  const goOn = goingOn()
  const made = await duplicate(loaded)
  const moving = movingOf(made)
  const outline = moving && outlineAround(moving)
  const place = outline && positionOf(outline, loaded.content.id)
  if (moving && place) await moveMember(moving.collectionId, moving, { ...place, index: place.index + 1 })
  // What is in a folder or a collection is looked at first.
  goOn(linkTo(pathOf(made), { edit: loaded.kind === 'folder' || loaded.kind === 'collection' ? null : 'yes' }))
  toast(`“${loaded.content.name} (copy)” is there. ${IN_COPY[loaded.kind] ?? ''}`)
}
