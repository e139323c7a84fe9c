import type { Schemas } from '@collections-hub/client'
import { useMemo, useRef } from 'preact/hooks'
import { groups, useKept, users } from '../../app/accounts.js'
import { useReload } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { go, isAt, linkTo, linkWith, route } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { grantsIn } from '../../model/grants.js'
import { asAccount, givenInWords, memberBy, ofGroup } from '../../model/groups.js'
import { counted } from '../../model/numbers.js'
import { Ask, ButtonLink, DialogButton, NameField, Page, Section, Show, Time, toast } from '../../ui/kit.js'
import { AccessFields } from './AccountFields.js'
import { EditAccess } from './EditAccess.js'
import { GrantsSection } from './Grants.js'
import { MemberList } from './MemberList.js'
import { Above } from './parts.js'
import css from './people.module.css'

interface Loaded {
  readonly group: Schemas['Group']
  readonly etag: string | null
  readonly members: readonly Schemas['Member'][]
}

/** One group: what it gives, and who is in it. */
export function GroupPage({ id }: { readonly id: string }) {
  const loading = useLoadable(
    async (signal): Promise<Loaded> => {
      const [group, members] = await Promise.all([
        hub().request('GET', '/admin/groups/{id}', { path: { id }, signal }),
        hub().request('GET', '/admin/groups/{id}/members', { path: { id }, signal })
      ])
      return { group: group.body, etag: group.etag, members: members.body.members }
    },
    [id]
  )
  // Who deletes it is told of that, and of what came before, in its own time, and has nothing to read any more.
  const isDeleting = useRef(false)
  const unlessDeleted = useMemo(
    () => ({ reload: async () => void (isDeleting.current || (await loading.reload())) }),
    [loading]
  )
  useReload(unlessDeleted, ({ kind }) => kind === 'group' || kind === 'user')
  useKept(users)
  return (
    <Show of={loading} onward={<ButtonLink href={linkTo(['groups'])}>All groups</ButtonLink>}>
      {(loaded) => <Group loaded={loaded} reload={loading.reload} isDeleting={isDeleting} />}
    </Show>
  )
}

function Group({
  loaded: { group, etag, members },
  reload,
  isDeleting
}: {
  readonly loaded: Loaded
  readonly reload: () => Promise<void>
  readonly isDeleting: { current: boolean }
}) {
  const isEditing = route.value.query.get('edit') !== null
  const remove = async () => {
    isDeleting.current = true
    try {
      await hub().request('DELETE', '/admin/groups/{id}', { path: { id: group.id } })
    } catch (error) {
      isDeleting.current = false
      throw error
    }
    toast(`The group ${group.name} is deleted.`)
    if (isAt(['groups', group.id])) go(linkTo(['groups']), { replace: true })
    await groups.reload()
  }
  const deletion = (close: () => void) => (
    <Ask isDanger title={`Delete ${group.name}?`} verb="Delete the group" act={remove} close={close}>
      <p>
        {members.length === 0
          ? 'Nobody is in it.'
          : members.length === 1
            ? 'One account loses at once what it has by it.'
            : `${counted(members.length, 'account')} lose at once what they have by it.`}
      </p>
    </Ask>
  )
  return (
    <Page
      title={group.name}
      above={<Above />}
      lead={
        <>
          Group of {counted(members.length, 'member')}, made <Time at={group.createdAt} />
        </>
      }
      actions={
        !isEditing && (
          <>
            <ButtonLink icon="edit" href={linkWith({ edit: 'yes' })}>
              Edit
            </ButtonLink>
            <DialogButton kind="danger" icon="deleted" dialog={deletion}>
              Delete
            </DialogButton>
          </>
        )
      }
    >
      {isEditing ? (
        <EditGroup group={group} etag={etag} reload={reload} />
      ) : (
        <div class={`${css.sections} stack fit`}>
          <Section title="Its members may use">
            <p>{givenInWords(group)}</p>
          </Section>
          <GrantsSection
            whose="this group"
            grants={grantsIn(group.grants)}
            etag={etag}
            put={(grants, match) =>
              hub().request('PUT', '/admin/groups/{id}', { path: { id: group.id }, body: { grants }, ...match })
            }
            reload={reload}
          />
          <Members group={group} members={members} reload={reload} />
        </div>
      )}
    </Page>
  )
}

function EditGroup({ group, etag, reload }: Pick<Loaded, 'group' | 'etag'> & { readonly reload: () => Promise<void> }) {
  const { id } = group
  return (
    <EditAccess
      account={asAccount(group)}
      etag={etag}
      what="group"
      place={`group/${id}`}
      fields={(fields) => <GroupFields {...fields} />}
      put={(changes, match) =>
        hub().request('PUT', '/admin/groups/{id}', { path: { id }, body: ofGroup(changes), ...match })
      }
      reload={() => Promise.all([reload(), groups.reload()])}
    />
  )
}

function GroupFields(fields: Parameters<typeof AccessFields>[0]) {
  const { form, change, faults } = fields
  return (
    <>
      <NameField value={form.name} fault={faults.name} change={(name) => change({ name })} />
      <AccessFields {...fields} />
    </>
  )
}

interface MembersProps {
  readonly group: Schemas['Group']
  readonly members: readonly Schemas['Member'][]
  readonly reload: () => Promise<void>
}

function Members({ group, members, reload }: MembersProps) {
  const others = (knownOf(users) ?? []).filter(
    ({ id, exactRole }) => exactRole === 'user' && !members.some(({ userId }) => userId === id)
  )
  return (
    <MemberList
      title="Members"
      held={members.map((one) => ({ id: one.userId, name: one.name, by: memberBy(one) }))}
      place="people"
      takeOut="Take out"
      offered={others}
      add="Add somebody"
      membershipWith={(user) => ({ id: group.id, user })}
      reload={reload}
    >
      {members.length === 0 && <p class="soft">Nobody is in it yet.</p>}
    </MemberList>
  )
}
