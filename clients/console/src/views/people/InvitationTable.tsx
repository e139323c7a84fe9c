import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { invitations, nameOfUser } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { statusAt } from '../../model/people.js'
import { Ask, Badge, Button, type Column, RowTable, Time, toast } from '../../ui/kit.js'
import css from './people.module.css'

type Invitation = Schemas['Invitation']

interface InvitationTableProps {
  readonly label: string
  readonly invitations: readonly Invitation[]
  /** Whether all are of one account, so that nobody needs to be told whose they are. */
  readonly isOfOne?: boolean
}

/** Invitations with how far each has come, and the way to revoke those that nobody has used. */
export function InvitationTable({ label, invitations, isOfOne }: InvitationTableProps) {
  const [revoking, setRevoking] = useState<Invitation>()
  const columns = [...(isOfOne ? [] : [WHOSE]), ...columnsOf(setRevoking)]
  return (
    <>
      <RowTable label={label} columns={columns} rows={invitations} keyOf={({ id }) => id} />
      {revoking && <RevokeInvitation invitation={revoking} close={() => setRevoking(undefined)} />}
    </>
  )
}

const WHOSE: Column<Invitation> = {
  title: 'For',
  width: 'minmax(9rem, 3fr)',
  isPlain: true,
  cell: ({ userId }) => (
    <a class={`${css.link} bold plain`} href={linkTo(['people', userId])}>
      <bdi>{nameOfUser(userId)}</bdi>
    </a>
  )
}

function columnsOf(revoke: (invitation: Invitation) => void): readonly Column<Invitation>[] {
  return [
    {
      title: 'Begins with',
      width: 'minmax(8rem, 2fr)',
      cell: ({ codePrefix }) => <span class={css.mono}>{codePrefix}…</span>
    },
    { title: 'State', width: 'minmax(17rem, 3fr)', isPlain: true, cell: (one) => <State invitation={one} /> },
    { title: 'Made', width: '9.5rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: '',
      width: '6rem',
      cell: (one) =>
        statusAt(one, now.value) === 'pending' && (
          <div class="acts flex wrap gap-3">
            <Button
              kind="quiet"
              aria-label={`Revoke the invitation of ${nameOfUser(one.userId)}`}
              onClick={() => revoke(one)}
            >
              Revoke
            </Button>
          </div>
        )
    }
  ]
}

function State({ invitation }: { readonly invitation: Invitation }) {
  const { redeemedAt, revokedAt, expiresAt } = invitation
  const status = statusAt(invitation, now.value)
  return (
    <span class={`${css.who} row wrap fit`}>
      <Badge tone={status === 'pending' ? 'accent' : status === 'redeemed' ? 'good' : 'plain'}>{status}</Badge>
      <span class="hint">
        {status === 'pending' && 'until '}
        <Time at={redeemedAt ?? revokedAt ?? expiresAt} />
      </span>
    </span>
  )
}

interface RevokeProps {
  readonly invitation: Schemas['Invitation']
  readonly close: () => void
}

/** Asks before an invitation is taken back. */
function RevokeInvitation({ invitation: { id, userId, createdAt }, close }: RevokeProps) {
  const name = nameOfUser(userId)
  const revoke = async () => {
    await hub().request('DELETE', '/admin/invitations/{id}', { path: { id } })
    close()
    toast(`The invitation of ${name} is revoked.`)
    await invitations.reload()
  }
  return (
    <Ask isDanger title={`Revoke the invitation of ${name}?`} verb="Revoke the invitation" act={revoke} close={close}>
      <p>
        The link that was made <Time at={createdAt} /> no longer lets anybody in. The account stays, and can be invited
        again.
      </p>
    </Ask>
  )
}
