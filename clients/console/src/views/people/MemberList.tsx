import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAct } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { Button, Name, Notice, Section, Select } from '../../ui/kit.js'

interface Named {
  readonly id: string
  readonly name: string
}

/** A membership as one of its sides shows it: the other side, and by what it is there. */
interface Held extends Named {
  readonly by: string
}

interface MemberListProps {
  readonly title: string
  readonly aside?: string
  readonly held: readonly Held[]
  /** Where the page of one of them is. */
  readonly place: 'groups' | 'people'
  /** What a button says that ends one; its name follows. */
  readonly takeOut: string
  /** What may be added, and what that is called. */
  readonly offered: readonly Named[]
  readonly add: string
  /** The group and the account of a membership with one of them. */
  readonly membershipWith: (id: string) => { readonly id: string; readonly user: string }
  readonly reload: () => Promise<void>
  /** What is said below the list. */
  readonly children: ComponentChildren
}

/** Who is in a group, or in which groups an account is: taken out and added one by one. */
export function MemberList(props: MemberListProps) {
  const { title, aside, held, place, takeOut, offered, add, membershipWith, reload, children } = props
  const [chosen, setChosen] = useState('')
  const { failure, run } = useAct()
  const change = (method: 'PUT' | 'DELETE', id: string) =>
    run(async () => {
      await hub().request(method, '/admin/groups/{id}/members/{user}', { path: membershipWith(id) })
      setChosen('')
      await reload()
    })
  return (
    <Section title={title} {...(aside !== undefined && { aside })}>
      <ul class="stack">
        {held.map(({ id, name, by }) => (
          <li key={id} class="row entry-line wrap ruled gap-6">
            <span class="fit grow">
              <a href={linkTo([place, id])}>
                <Name of={name} />
              </a>{' '}
              <span class="hint">{by}</span>
            </span>
            <Button aria-label={`${takeOut} ${name}`} onClick={() => void change('DELETE', id)}>
              Take out
            </Button>
          </li>
        ))}
      </ul>
      {children}
      {offered.length > 0 && (
        <div class="row filling wrap gap-4">
          <Select
            label={add}
            value={chosen}
            options={[{ value: '', label: 'Choose…' }, ...offered.map(({ id, name }) => ({ value: id, label: name }))]}
            change={setChosen}
          />
          <Button disabled={chosen === ''} onClick={() => void change('PUT', chosen)}>
            Add
          </Button>
        </div>
      )}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Section>
  )
}
