import { changeableCollections } from '../../app/catalog.js'
import { mayCreate } from '../../app/records.js'
import { Button, Name, Notice, Select } from '../../ui/kit.js'

/** The choice that makes a new collection. */
export const NEW = ''

export interface TargetProps {
  readonly value: string
  /** The names of the collections that the source was imported into before and that may be changed, by their ids. */
  readonly known: ReadonlyMap<string, string>
  readonly change: (value: string) => void
}

/** Where it goes; collections that the source was imported into before stand first. */
export function Target({ value, known, change }: TargetProps) {
  const others = changeableCollections().filter(({ id }) => !known.has(id))
  return (
    <Select
      label="Into"
      value={value}
      options={[
        ...[...known].map(([id, name]) => ({ value: id, label: `${name} (imported before)` })),
        ...(mayCreate('collection') ? [{ value: NEW, label: 'A new collection' }] : []),
        ...others.map(({ id, name }) => ({ value: id, label: name }))
      ]}
      change={change}
    />
  )
}

/** Says that the source is known, and offers to bring up to date what it was imported into last. */
export function KnownNotice({ known, change }: Omit<TargetProps, 'value'>) {
  const [first] = known
  if (!first) return null
  const [id, name] = first
  return (
    <Notice tone="note">
      This was imported into <Name of={name} /> before.{' '}
      <Button onClick={() => change(id)}>
        Bring <Name of={name} /> up to date
      </Button>
    </Notice>
  )
}
