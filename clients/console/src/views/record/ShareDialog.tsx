import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { useAct, useLoadable } from '../../app/loaded.js'
import { ask, hub, identity } from '../../app/session.js'
import { GRANT_ROLES, type GrantRole, mayBy } from '../../model/grants.js'
import { sharedBy } from '../../model/groups.js'
import { type AloneKind, KINDS } from '../../model/records.js'
import { Button, Dialog, Field, Name, Notice, Select, Show } from '../../ui/kit.js'
import { RoleSelect } from './RoleSelect.js'

interface ShareProps {
  readonly kind: AloneKind
  readonly id: string
  readonly name: string
  readonly close: () => void
}

/** Who has a record, and by what; its managers give it to others, change what they may, and take it back. */
export function ShareDialog({ kind, id, name, close }: ShareProps) {
  const at = `/${KINDS[kind].plural}/{id}/sharing` as const
  const sharing = useLoadable(async (signal) => (await ask('GET', at, { path: { id }, signal })).sharing, [id])
  const [person, setPerson] = useState('')
  const [role, setRole] = useState<GrantRole>('viewer')
  const { failure, isBusy, run } = useAct()
  /** Gives somebody a role in place of the one that they were given before; null takes that back. */
  const give = (user: string, role: GrantRole | null) =>
    run(async () => {
      const path = { id, user }
      await (role === null
        ? hub().request('DELETE', `${at}/{user}`, { path })
        : hub().request('PUT', `${at}/{user}`, { path, body: { role } }))
      await sharing.reload()
    })
  const submit = async (event: Event) => {
    event.preventDefault()
    if (person.trim() !== '' && (await give(person.trim(), role))) setPerson('')
  }
  return (
    <Dialog title={`Who has ${name}`} close={close}>
      <Show of={sharing}>
        {(all) => (
          <ul class="stack">
            {all.length === 0 && <li class="soft">Nobody but administrators.</li>}
            {all.map((one) => (
              <Holder key={one.userId} one={one} isBusy={isBusy} give={(role) => void give(one.userId, role)} />
            ))}
          </ul>
        )}
      </Show>
      <form class="row filling wrap gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label="Give it to"
          placeholder="Name of an account"
          value={person}
          autoComplete="off"
          change={setPerson}
        />
        <Select label="as" value={role} options={GRANT_ROLES} change={setRole} />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Give it
        </Button>
      </form>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}

interface HolderProps {
  readonly one: Schemas['Sharing']
  readonly isBusy: boolean
  readonly give: (role: GrantRole | null) => void
}

/** Somebody who has it. What was given here is changed here, but nobody does so for themselves. */
function Holder({ one, isBusy, give }: HolderProps) {
  const { userId, name, role, by } = one
  const isSelf = userId === identity().user.id
  return (
    <li class="row entry-line wrap ruled gap-6">
      <span class="fit grow">
        <Name class="bold" of={name} />
        {isSelf && ' (you)'} {mayBy(role)}, <span class="hint">{sharedBy(one)}</span>
      </span>
      {by === 'grant' && !isSelf && (
        <>
          <RoleSelect label={`Role of ${name}`} {...{ role, isBusy }} become={give} />
          <Button aria-label={`Take it back from ${name}`} disabled={isBusy} onClick={() => give(null)}>
            Take it back
          </Button>
        </>
      )}
    </li>
  )
}
