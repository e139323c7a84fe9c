import { catalog } from '../../app/catalog.js'
import { useAct } from '../../app/useAct.js'
import { Switch } from '../../ui/Switch.js'
import { type Lockable, lockRecord } from './lockables.js'
import css from './people.module.css'

/** The lock of a record, to be switched on or off. */
export function LockSwitch({ record }: { readonly record: Lockable }) {
  const { isBusy, failure, run } = useAct()
  const { kind, id, name, isLocked } = record
  const turn = () =>
    run(async () => {
      await lockRecord(kind, id, !isLocked)
      catalog[kind].change((all) => all.map((one) => (one.id === id ? { ...one, isLocked: !isLocked } : one)))
    })
  return (
    <span class={css.who}>
      <Switch label={`Lock ${name}`} isOn={isLocked} isBusy={isBusy} turn={turn} />
      <span class={css.small} role={failure && 'alert'}>
        {failure?.message ?? (isLocked ? 'locked' : 'not locked')}
      </span>
    </span>
  )
}
