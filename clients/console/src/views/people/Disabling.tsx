import type { Schemas } from '@collections-hub/client'
import { users } from '../../app/accounts.js'
import { hub } from '../../app/session.js'
import { Ask, toast } from '../../ui/kit.js'

interface DisablingProps {
  readonly user: Schemas['User']
  readonly reload: () => Promise<void>
  readonly close: () => void
}

/** Asks before nothing is let in as an account any more, or again. */
export function Disabling({ user: { id, name, disabledAt }, reload, close }: DisablingProps) {
  const isDisabled = disabledAt !== undefined
  const act = async () => {
    const to = isDisabled ? '/admin/users/{id}/enable' : '/admin/users/{id}/disable'
    await hub().request('POST', to, { path: { id } })
    close()
    toast(isDisabled ? `${name} is let in again.` : `Nothing is let in as ${name} any more.`)
    await Promise.all([reload(), users.reload()])
  }
  if (isDisabled)
    return (
      <Ask title={`Enable ${name}?`} verb="Enable" act={act} close={close}>
        <p>Its tokens and sessions are good again, as far as they have not ended.</p>
      </Ask>
    )
  return (
    <Ask isDanger title={`Disable ${name}?`} verb="Disable" act={act} close={close}>
      <p>
        Its tokens and sessions are refused at once, and what is open is closed. What it has stays, and so does
        everything it has made: you can enable it again.
      </p>
    </Ask>
  )
}
