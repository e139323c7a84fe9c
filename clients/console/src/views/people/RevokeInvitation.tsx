import type { Schemas } from '@collections-hub/client'
import { invitations, nameOfUser } from '../../app/accounts.js'
import { hub } from '../../app/session.js'
import { AskFirst } from '../../ui/AskFirst.js'
import { Time } from '../../ui/Time.js'
import { toast } from '../../ui/toasts.js'

interface RevokeProps {
  readonly invitation: Schemas['Invitation']
  readonly close: () => void
}

/** Asks before an invitation is taken back. */
export function RevokeInvitation({ invitation: { id, userId, createdAt }, close }: RevokeProps) {
  const name = nameOfUser(userId)
  const revoke = async () => {
    await hub().request('DELETE', '/admin/invitations/{id}', { path: { id } })
    toast(`The invitation of ${name} is revoked.`)
    await invitations.reload()
  }
  return (
    <AskFirst title={`Revoke the invitation of ${name}?`} verb="Revoke the invitation" act={revoke} close={close}>
      <p>
        The link that was made <Time at={createdAt} /> no longer lets anybody in. The account stays, and can be invited
        again.
      </p>
    </AskFirst>
  )
}
