import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { groups, useKept } from '../../app/accounts.js'
import { useAct } from '../../app/loaded.js'
import { goingOn, linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { givenInWords } from '../../model/groups.js'
import { counted } from '../../model/numbers.js'
import { byName, matches } from '../../model/people.js'
import { Ask, DialogButton, Name, NameField, Page, Placeholder, Show } from '../../ui/kit.js'
import { Above, Filtered, typedFilter } from './parts.js'
import css from './people.module.css'

/** Every group, and what it gives its members. */
export function Groups() {
  const all = useKept(groups)
  return (
    <Page
      title="Groups"
      above={<Above />}
      lead="What a group may use, its members may, beside what each has alone."
      actions={
        <DialogButton kind="primary" icon="plus" dialog={(close) => <NewGroup close={close} />}>
          New group
        </DialogButton>
      }
    >
      <Show of={all}>{(list) => <GroupList all={list} />}</Show>
    </Page>
  )
}

function GroupList({ all }: { readonly all: readonly Schemas['Group'][] }) {
  const found = all
    .filter(({ name }) => matches(typedFilter(), name))
    .sort((one, other) => byName(one.name, other.name))
  if (all.length === 0)
    return (
      <Placeholder icon="people" title="There are no groups yet">
        <p>Make one for those who work on the same things, and say once what they may use.</p>
      </Placeholder>
    )
  return (
    <Filtered
      label="Find groups"
      all={all.length}
      found={found.length}
      about={counted(all.length, 'group')}
      none={{ icon: 'groups', title: 'No group is found by that', hint: 'Names of groups are searched.' }}
    >
      <ul class="stack">
        {found.map((group) => (
          <li key={group.id} class="entry-line ruled">
            <a class={`${css.link} bold plain`} href={linkTo(['groups', group.id])}>
              <Name of={group.name} />
            </a>
            <p class="soft">{givenInWords(group)}</p>
          </li>
        ))}
      </ul>
    </Filtered>
  )
}

function NewGroup({ close }: { readonly close: () => void }) {
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const { run } = useAct()
  const make = async () => {
    setTried(true)
    if (name.trim() === '') return
    const goOn = goingOn()
    const { body } = await hub().request('POST', '/admin/groups', { body: { name } })
    close()
    void run(groups.reload)
    goOn(linkTo(['groups', body.id], { edit: 'yes' }))
  }
  return (
    <Ask title="New group" verb="Make it" act={make} close={close}>
      <NameField
        value={name}
        fault={isTried && name.trim() === '' ? 'Give the group a name first.' : undefined}
        change={setName}
      />
    </Ask>
  )
}
