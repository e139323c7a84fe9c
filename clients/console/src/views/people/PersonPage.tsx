import { invitations, knownOf, spending, tokens, useKept, users } from '../../app/accounts.js'
import { changeUserFace } from '../../app/faces.js'
import { useChanges } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { linkWith, route } from '../../app/route.js'
import { hub, identity } from '../../app/session.js'
import { faceOf } from '../../model/faces.js'
import { Button, ButtonLink } from '../../ui/Button.js'
import { Page } from '../../ui/Page.js'
import { Show } from '../../ui/Show.js'
import { Time } from '../../ui/Time.js'
import { FaceDialog } from '../faces/FaceDialog.js'
import { FaceOf } from '../faces/FaceOf.js'
import { Above } from './Above.js'
import { AccessSection } from './AccessSection.js'
import { DeleteAccount } from './DeleteAccount.js'
import { EditAccount, type LoadedAccount } from './EditAccount.js'
import { InvitationSection } from './InvitationSection.js'
import { Lately } from './Lately.js'
import css from './people.module.css'
import { TokenSection } from './TokenSection.js'
import { useDialog } from './useDialog.js'

/** All about one account: what it may use, how people get in with it, and what was done with it. */
export function PersonPage({ id }: { readonly id: string }) {
  const account = useLoadable(
    async (signal): Promise<LoadedAccount> => {
      const { body, etag } = await hub().request('GET', '/admin/users/{id}', { path: { id }, signal })
      return { user: body, etag }
    },
    [id]
  )
  const refresh = (change: { readonly kind: string; readonly id: string }) => {
    if (change.kind === 'user' && change.id === id) void account.reload()
  }
  useChanges(refresh, [account, id])
  useKept(users)
  useKept(tokens)
  useKept(invitations)
  useKept(spending)
  return <Show of={account}>{(loaded) => <Person loaded={loaded} reload={account.reload} />}</Show>
}

interface PersonProps {
  readonly loaded: LoadedAccount
  readonly reload: () => Promise<void>
}

function Person({ loaded, reload }: PersonProps) {
  const { user } = loaded
  const deletion = useDialog()
  const choosing = useDialog()
  const isEditing = route.value.query.get('edit') !== null
  const isSelf = identity().user.id === user.id
  const spend = knownOf(spending)?.find(({ key }) => key === user.id)
  const warnings = knownOf(users)?.find(({ id }) => id === user.id)?.warnings ?? []
  return (
    <Page
      title={user.name}
      above={<Above />}
      mark={<FaceOf face={faceOf(user)} size="large" />}
      lead={
        <>
          {user.role === 'admin' ? 'Administrator' : 'User'}
          {isSelf && ', signed in here'}, made <Time at={user.createdAt} />
        </>
      }
      actions={
        !isEditing && (
          <>
            <ButtonLink icon="edit" href={linkWith({ edit: 'yes' })}>
              Edit
            </ButtonLink>
            <Button icon="people" onClick={choosing.open}>
              Avatar
            </Button>
            {!isSelf && (
              <Button kind="danger" icon="deleted" onClick={deletion.open}>
                Delete
              </Button>
            )}
          </>
        )
      }
    >
      {isEditing ? (
        <EditAccount loaded={loaded} reload={reload} />
      ) : (
        <div class={css.sections}>
          <AccessSection user={{ ...user, warnings }} spend={spend} />
          <TokenSection user={user} />
          <InvitationSection user={user} />
          <Lately user={user} />
        </div>
      )}
      {choosing.isOpen && (
        <FaceDialog
          title={`Avatar of ${user.name}`}
          face={faceOf(user)}
          save={async (changes) => {
            await changeUserFace(user.id, changes)
            await reload()
          }}
          close={choosing.close}
        />
      )}
      {deletion.isOpen && <DeleteAccount user={user} close={deletion.close} />}
    </Page>
  )
}
