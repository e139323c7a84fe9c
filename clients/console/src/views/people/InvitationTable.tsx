import type { Schemas } from '@collections-hub/client'
import { invitations, nameOfUser } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { statusAt } from '../../model/people.js'
import { Ask, Badge, type Column, DialogButton, Name, RowTable, Time, toast } from '../../ui/kit.js'
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
  const columns = isOfOne ? COLUMNS : [WHOSE, ...COLUMNS]
  return <RowTable label={label} columns={columns} rows={invitations} keyOf={({ id }) => id} />
}

const WHOSE: Column<Invitation> = {
  title: 'For',
  width: 'minmax(9rem, 3fr)',
  isPlain: true,
  cell: ({ userId }) => (
    <a class={`${css.link} bold plain`} href={linkTo(['people', userId])}>
      <Name of={nameOfUser(userId)} />
    </a>
  )
}

const COLUMNS: readonly Column<Invitation>[] = [
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
          <DialogButton
            kind="quiet"
            aria-label={`Revoke the invitation of ${nameOfUser(one.userId)}`}
            dialog={(close) => <RevokeInvitation invitation={one} close={close} />}
          >
            Revoke
          </DialogButton>
        </div>
      )
  }
]

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
