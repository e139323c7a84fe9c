import { useState } from 'preact/hooks'
import { importing } from '../../app/importing.js'
import type { Loaded } from '../../app/records.js'
import { isMember, type RecordRef, wordFor } from '../../model/records.js'
import { Menu } from '../../ui/Menu.js'
import { movingOf, outlineAround } from '../browse/moves.js'
import { ExportDialog } from '../files/ExportDialog.js'
import { DeleteDialog } from './DeleteDialog.js'
import { MoveDialog } from './MoveDialog.js'

interface RecordMenuProps {
  readonly record: RecordRef
  readonly loaded: Loaded
}

/** What is done with a record as a whole. */
export function RecordMenu({ record, loaded }: RecordMenuProps) {
  const [open, setOpen] = useState<'move' | 'delete' | 'export' | null>(null)
  const close = () => setOpen(null)
  const moving = movingOf(record)
  const outline = open === 'move' && moving ? outlineAround(moving) : null
  return (
    <>
      <Menu
        label={`More with this ${wordFor(record.kind)}`}
        items={[
          ...(isMember(record.kind) ? [{ label: 'Move…', icon: 'move', act: () => setOpen('move') } as const] : []),
          ...(record.kind === 'collection'
            ? ([
                {
                  label: 'Import into it…',
                  icon: 'import',
                  act: () => (importing.value = { file: null, into: record.id })
                },
                { label: 'Export…', icon: 'export', act: () => setOpen('export') }
              ] as const)
            : []),
          { label: 'Delete…', icon: 'deleted', isDanger: true, act: () => setOpen('delete') }
        ]}
      />
      {moving && outline && <MoveDialog {...{ moving, outline, close }} />}
      {open === 'export' && <ExportDialog id={record.id} name={loaded.content.name} close={close} />}
      {open === 'delete' && <DeleteDialog {...{ record, loaded, close }} />}
    </>
  )
}
