import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { useAct, useLoadable } from '../../app/loaded.js'
import { hub } from '../../app/session.js'
import { sharedBy } from '../../model/groups.js'
import { Button, Dialog, Field, Notice, Select, Show } from '../../ui/kit.js'

interface ShareProps {
  readonly id: string
  readonly name: string
  readonly close: () => void
}

type Role = Schemas['Sharing']['role']

const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'viewer', label: 'look at it' },
  { value: 'editor', label: 'change it' },
  { value: 'manager', label: 'change and share it' }
]
const roleInWords = (role: Role) => `may ${ROLES.find(({ value }) => value === role)?.label}`

/** Who has a collection, and by what; its managers give it to others, and take it back. */
export function ShareDialog({ id, name, close }: ShareProps) {
  const sharing = useLoadable(
    async (signal) => (await hub().request('GET', '/collections/{id}/sharing', { path: { id }, signal })).body.sharing,
    [id]
  )
  const [person, setPerson] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const { failure, isBusy, run } = useAct()
  const give = (event: Event) => {
    event.preventDefault()
    if (person.trim() === '') return
    void run(async () => {
      const path = { id, user: person.trim() }
      await hub().request('PUT', '/collections/{id}/sharing/{user}', { path, body: { role } })
      setPerson('')
      await sharing.reload()
    })
  }
  const take = (user: string) =>
    run(async () => {
      await hub().request('DELETE', '/collections/{id}/sharing/{user}', { path: { id, user } })
      await sharing.reload()
    })
  return (
    <Dialog title={`Who has ${name}`} close={close}>
      <Show of={sharing}>
        {(all) => (
          <ul class="stack">
            {all.length === 0 && <li class="soft">Nobody but administrators.</li>}
            {all.map((one) => (
              <li key={one.userId} class="row wrap ruled gap-6">
                <span class="fit grow">
                  <bdi class="bold">{one.name}</bdi> {roleInWords(one.role)}, <span class="hint">{sharedBy(one)}</span>
                </span>
                {one.by === 'grant' && (
                  <Button aria-label={`Take it back from ${one.name}`} onClick={() => void take(one.userId)}>
                    Take it back
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Show>
      <form class="row wrap gap-4" onSubmit={give}>
        <Field
          label="Give it to"
          placeholder="Name of an account"
          value={person}
          maxLength={500}
          autoComplete="off"
          onInput={({ currentTarget }) => setPerson(currentTarget.value)}
        />
        <Select label="who may" value={role} options={ROLES} change={setRole} />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Give it
        </Button>
      </form>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}
