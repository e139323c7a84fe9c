import type { Schemas } from '@collections-hub/client'
import { nameOfUser, tokens } from '../../app/accounts.js'
import { hub, identity } from '../../app/session.js'
import { AskFirst } from '../../ui/AskFirst.js'
import { Notice } from '../../ui/Notice.js'
import { Time } from '../../ui/Time.js'
import { toast } from '../../ui/toasts.js'
import css from './people.module.css'

/** Asks before a token is revoked: whose it is, and when it was last of use to them. */
export function RevokeToken({ token, close }: { readonly token: Schemas['Token']; readonly close: () => void }) {
  const { id, name, tokenPrefix, userId, lastUsedAt } = token
  const owner = nameOfUser(userId)
  const revoke = async () => {
    await hub().request('DELETE', '/admin/tokens/{id}', { path: { id } })
    toast(`The token ${name} of ${owner} is revoked.`)
    tokens.change((all) => all.filter((one) => one.id !== id))
  }
  return (
    <AskFirst title={`Revoke a token of ${owner}?`} verb="Revoke the token" act={revoke} close={close}>
      {id === identity().token.id && (
        <Notice tone="note">This is the token that you are signed in with: you will be signed out at once.</Notice>
      )}
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <span class={css.mono}>{tokenPrefix}…</span> belongs to <bdi>{owner}</bdi>, and was{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Time at={lastUsedAt} />
          </>
        )}
        .
      </p>
      <p>
        Whatever uses it is refused from the next request on. It cannot be brought back; another one can be issued. What
        was done with it stays.
      </p>
    </AskFirst>
  )
}
