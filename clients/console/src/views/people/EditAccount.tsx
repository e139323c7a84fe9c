import type { Schemas } from '@collections-hub/client'
import { users } from '../../app/accounts.js'
import { hub, identity } from '../../app/session.js'
import { AccountFields } from './AccountFields.js'
import { EditAccess } from './EditAccess.js'

/** An account as the hub has it, with the tag that a change of it names. */
export interface LoadedAccount {
  readonly user: Schemas['User']
  readonly etag: string | null
}

interface EditProps {
  readonly loaded: LoadedAccount
  readonly reload: () => Promise<void>
}

/** Changing an account. */
export function EditAccount({ loaded: { user, etag }, reload }: EditProps) {
  const { id } = user
  return (
    <EditAccess
      account={user}
      etag={etag}
      what="account"
      place={`account/${id}`}
      fields={(fields) => <AccountFields {...fields} isSelf={id === identity().user.id} />}
      put={(body, match) => hub().request('PUT', '/admin/users/{id}', { path: { id }, body, ...match })}
      reload={() => Promise.all([reload(), users.reload()])}
    />
  )
}
