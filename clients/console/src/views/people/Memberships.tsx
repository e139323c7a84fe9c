import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { groups, useKept } from '../../app/accounts.js'
import { knownOf, useAct } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { memberBy } from '../../model/groups.js'
import { Button, Notice, Section, Select } from '../../ui/kit.js'

interface MembershipProps {
  readonly user: Schemas['User']
  readonly reload: () => Promise<void>
}

/** The groups of an account, and by what it is in each. */
export function MembershipSection({ user, reload }: MembershipProps) {
  useKept(groups)
  const all = knownOf(groups) ?? []
  const own = user.groups ?? []
  const others = all.filter(({ id }) => !own.some((one) => one.id === id))
  const [chosen, setChosen] = useState('')
  const { failure, run } = useAct()
  const change = (method: 'PUT' | 'DELETE', id: string) =>
    run(async () => {
      await hub().request(method, '/admin/groups/{id}/members/{user}', { path: { id, user: user.id } })
      setChosen('')
      await reload()
    })
  const names = new Map(all.map(({ id, name }) => [id, name]))
  return (
    <Section title="Groups" aside="What a group may use, its members may.">
      <ul class="stack">
        {own
          .filter(({ id }) => names.has(id))
          .map((one) => (
            <li key={one.id} class="row entry-line wrap ruled gap-6">
              <span class="fit grow">
                <a href={linkTo(['groups', one.id])}>
                  <bdi>{names.get(one.id)}</bdi>
                </a>{' '}
                <span class="hint">{memberBy(one)}</span>
              </span>
              <Button aria-label={`Take out of ${names.get(one.id)}`} onClick={() => void change('DELETE', one.id)}>
                Take out
              </Button>
            </li>
          ))}
      </ul>
      {others.length > 0 && (
        <div class="row filling wrap gap-4">
          <Select
            label="Add to group"
            value={chosen}
            options={[{ value: '', label: 'Choose…' }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
            change={setChosen}
          />
          <Button disabled={chosen === ''} onClick={() => void change('PUT', chosen)}>
            Add
          </Button>
        </div>
      )}
      {all.length === 0 && (
        <p class="soft">
          There are no groups yet. <a href={linkTo(['groups'])}>Make one</a>
        </p>
      )}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Section>
  )
}
