import type { Schemas } from '@collections-hub/client'
import { invitations, spending, tokens, useKept, users } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { changeUserFace } from '../../app/faces.js'
import { useReload } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { go, isAt, linkTo, linkWith, route } from '../../app/route.js'
import { hub, identity, manages, readsAudit } from '../../app/session.js'
import { ROLE_NAMES } from '../../model/access.js'
import { type FaceChanges, faceOf } from '../../model/faces.js'
import { grantsIn } from '../../model/grants.js'
import { counted } from '../../model/numbers.js'
import { statusAt } from '../../model/people.js'
import { Ask, Avatar, ButtonLink, DialogButton, Name, Notice, Page, Show, Time, toast } from '../../ui/kit.js'
import { FaceDialog } from '../faces/FaceDialog.js'
import { AccessSection } from './AccessSection.js'
import { Disabling } from './Disabling.js'
import { EditAccount, type LoadedAccount } from './EditAccount.js'
import { GrantsSection } from './Grants.js'
import { MembershipSection } from './Memberships.js'
import { Above } from './parts.js'
import css from './people.module.css'
import { InvitationSection, Lately, TokenSection } from './Sections.js'

/** All about one account: what it may use, how people get in with it, and what was done with it. */
export function PersonPage({ id }: { readonly id: string }) {
  const account = useLoadable(
    async (signal): Promise<LoadedAccount> => {
      const { body, etag } = await hub().request('GET', '/admin/users/{id}', { path: { id }, signal })
      return { user: body, etag }
    },
    [id]
  )
  useReload(account, (change) => change.kind === 'user' && change.id === id)
  useKept(users)
  useKept(tokens)
  useKept(invitations)
  useKept(spending)
  return (
    <Show of={account} onward={<ButtonLink href={linkTo(['people'])}>All people</ButtonLink>}>
      {(loaded) => <Person loaded={loaded} reload={account.reload} />}
    </Show>
  )
}

function Person({ loaded, reload }: { readonly loaded: LoadedAccount; readonly reload: () => Promise<void> }) {
  const { user, etag } = loaded
  const isEditing = route.value.query.get('edit') !== null
  const isManaged = manages(user)
  const isSelf = identity().user.id === user.id
  const spend = knownOf(spending)?.find(({ key }) => key === user.id)
  const saveFace = async (changes: FaceChanges) => {
    await changeUserFace(user.id, changes)
    await reload()
  }
  const warnings = knownOf(users)?.find(({ id }) => id === user.id)?.warnings ?? []
  return (
    <Page
      title={user.name}
      above={<Above />}
      mark={<Avatar face={faceOf(user)} size="large" />}
      lead={
        <>
          {ROLE_NAMES[user.exactRole]}
          {user.isService && ', a machine'}
          {isSelf && ', signed in here'}, made <Time at={user.createdAt} />
        </>
      }
      actions={
        !isEditing &&
        isManaged && (
          <>
            <ButtonLink icon="edit" href={linkWith({ edit: 'yes' })}>
              Edit
            </ButtonLink>
            <DialogButton
              icon="people"
              dialog={(close) => (
                <FaceDialog title={`Avatar of ${user.name}`} face={faceOf(user)} save={saveFace} close={close} />
              )}
            >
              Avatar
            </DialogButton>
            {!isSelf && (
              <DialogButton icon="lock" dialog={(close) => <Disabling user={user} reload={reload} close={close} />}>
                {user.disabledAt === undefined ? 'Disable' : 'Enable'}
              </DialogButton>
            )}
            {!isSelf && (
              <DialogButton
                kind="danger"
                icon="deleted"
                dialog={(close) => <DeleteAccount user={user} close={close} />}
              >
                Delete
              </DialogButton>
            )}
          </>
        )
      }
    >
      {isEditing && isManaged ? (
        <EditAccount loaded={loaded} reload={reload} />
      ) : (
        <div class={`${css.sections} stack fit`}>
          {user.disabledAt !== undefined && (
            <Notice tone="bad">
              It was disabled <Time at={user.disabledAt} />: nothing is let in as this account, by none of its tokens
              and by no sign-in.
            </Notice>
          )}
          <AccessSection user={{ ...user, warnings }} spend={spend} />
          {user.exactRole === 'user' && (
            <GrantsSection
              whose="this account"
              grants={grantsIn(user.grants)}
              etag={etag}
              put={(grants, match) =>
                hub().request('PUT', '/admin/users/{id}/grants', { path: { id: user.id }, body: { grants }, ...match })
              }
              reload={reload}
            />
          )}
          {user.exactRole === 'user' && <MembershipSection user={user} reload={reload} />}
          <TokenSection user={user} />
          {!user.isService && <InvitationSection user={user} />}
          {readsAudit.value && <Lately user={user} />}
        </div>
      )}
    </Page>
  )
}

/** Asks before an account is deleted, and says what goes with it. */
function DeleteAccount({ user, close }: { readonly user: Schemas['User']; readonly close: () => void }) {
  const { id, name } = user
  const held = knownOf(tokens)?.filter(({ userId }) => userId === id)
  const pending = knownOf(invitations)?.filter((one) => one.userId === id && statusAt(one, now.value) === 'pending')
  const remove = async () => {
    await hub().request('DELETE', '/admin/users/{id}', { path: { id } })
    close()
    toast(`The account ${name} is deleted.`)
    if (isAt(['people', id])) go(linkTo(['people']), { replace: true })
    users.change((all) => all.filter((one) => one.id !== id))
  }
  return (
    <Ask isDanger title={`Delete ${name}?`} verb="Delete the account" act={remove} close={close}>
      <p>With it go at once:</p>
      <ul class={css.bullets}>
        {held === undefined ? (
          <li>its tokens</li>
        ) : held.length === 0 ? (
          <li>no token: it has none</li>
        ) : (
          <li>
            {counted(held.length, 'token')}: <Name of={held.map((one) => one.name).join(', ')} />. Nobody gets in with{' '}
            {held.length === 1 ? 'it' : 'them'} any more
          </li>
        )}
        {pending !== undefined && pending.length > 0 && (
          <li>{counted(pending.length, 'pending invitation')}, which can no longer be accepted</li>
        )}
      </ul>
      <p>
        Every record that <Name of={name} /> has made or changed stays, and the log still tells who did what. The
        account itself cannot be brought back: you would make a new one.
      </p>
    </Ask>
  )
}
