import type { Schemas } from '@collections-hub/client'
import { users } from '../../app/accounts.js'
import { hub } from '../../app/session.js'
import { useAct } from '../../app/useAct.js'
import { withoutStale } from '../../model/access.js'
import { counted } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Icon } from '../../ui/Icon.js'
import { toast } from '../../ui/toasts.js'
import css from './people.module.css'

/** That access lists of an account name what is gone, and the way to take just that out. */
export function RemoveStale({ user }: { readonly user: Schemas['ListedUser'] }) {
  const { isBusy, failure, run } = useAct()
  const { id, name, warnings } = user
  const remove = async () => {
    const path = { id }
    // The account as it is now: nothing that somebody has changed in the meantime is put back.
    const { body: account, etag } = await hub().request('GET', '/admin/users/{id}', { path })
    const body = withoutStale(account, warnings)
    await hub().request('PUT', '/admin/users/{id}', { path, body, ...(etag !== null && { ifMatch: etag }) })
    toast(`The access of ${name} names only what there is.`)
    await users.reload()
  }
  const about =
    warnings.length === 1
      ? 'One thing in these lists is gone.'
      : `${counted(warnings.length, 'thing')} in these lists are gone.`
  return (
    <div class={css.stale}>
      <Icon name="warning" size={14} />
      <span title={warnings.join('\n')}>{failure?.message ?? about}</span>
      <Button kind="quiet" isBusy={isBusy} onClick={() => run(remove)} aria-label={`Remove what is gone: ${name}`}>
        Remove what is gone
      </Button>
    </div>
  )
}
