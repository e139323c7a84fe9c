import type { Sides } from '../model/diffFields.js'
import type { FieldChange } from '../model/diffLeaves.js'
import type { NameOf } from '../model/fieldNames.js'
import { Later } from './states.js'

export interface DiffFieldsProps {
  readonly changes: readonly FieldChange[]
  /** How many more there are than are listed. */
  readonly more?: number | undefined
  /** The records themselves, by which headers, parameters and variables are called by their names. */
  readonly sides?: Sides | undefined
  /** What a record is called that one of the fields names by its id. */
  readonly nameOf?: NameOf
}

const loadList = () => import('./DiffList.js')

/** What differs between two states of a record, field by field, in words. Secrets are masked until somebody asks for them. */
export function DiffFields(props: DiffFieldsProps) {
  return <Later load={loadList}>{({ DiffList }) => <DiffList {...props} />}</Later>
}
