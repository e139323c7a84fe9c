import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Sides } from '../model/diffFields.js'
import type { FieldChange } from '../model/diffLeaves.js'
import type { NameOf } from '../model/fieldNames.js'
import { Notice } from './Notice.js'

export interface DiffFieldsProps {
  readonly changes: readonly FieldChange[]
  /** How many more there are than are listed. */
  readonly more?: number | undefined
  /** The records themselves, by which headers, parameters and variables are called by their names. */
  readonly sides?: Sides | undefined
  /** What a record is called that one of the fields names by its id. */
  readonly nameOf?: NameOf
}

/** Kept, so that only the first comparison waits for it. */
let known: ComponentType<DiffFieldsProps> | undefined

/** What differs between two states of a record, field by field, in words. Secrets are masked until somebody asks for them. */
export function DiffFields(props: DiffFieldsProps) {
  const [is, setIs] = useState<'loading' | 'ready' | 'missing'>(known ? 'ready' : 'loading')
  useEffect(() => {
    if (known) return
    let isWanted = true
    import('./DiffList.js')
      .then(({ DiffList }) => {
        known = DiffList
        if (isWanted) setIs('ready')
      })
      .catch(() => isWanted && setIs('missing'))
    return () => {
      isWanted = false
    }
  }, [])
  const List = known
  if (List) return <List {...props} />
  if (is === 'missing') return <Notice tone="bad">What compares could not be loaded. Reload the page to get it.</Notice>
  return <p aria-busy="true">Comparing…</p>
}
