import type { Schemas } from '@collections-hub/client'
import { invitations, knownOf, tokens, users } from '../../app/accounts.js'
import { now } from '../../app/clock.js'
import { go, linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { counted } from '../../model/numbers.js'
import { statusAt } from '../../model/people.js'
import { AskFirst } from '../../ui/AskFirst.js'
import { toast } from '../../ui/toasts.js'
import css from './people.module.css'

/** Asks before an account is deleted, and says what goes with it. */
export function DeleteAccount({ user, close }: { readonly user: Schemas['User']; readonly close: () => void }) {
  const { id, name } = user
  const held = knownOf(tokens)?.filter(({ userId }) => userId === id)
  const pending = knownOf(invitations)?.filter((one) => one.userId === id && statusAt(one, now.value) === 'pending')
  const remove = async () => {
    await hub().request('DELETE', '/admin/users/{id}', { path: { id } })
    toast(`The account ${name} is deleted.`)
    go(linkTo(['people']), { replace: true })
    users.change((all) => all.filter((one) => one.id !== id))
  }
  return (
    <AskFirst title={`Delete ${name}?`} verb="Delete the account" act={remove} close={close}>
      <p>With it go at once:</p>
      <ul class={css.bullets}>
        {held === undefined ? (
          <li>its tokens</li>
        ) : held.length === 0 ? (
          <li>no token: it has none</li>
        ) : (
          <li>
            {counted(held.length, 'token')}: <bdi>{held.map((one) => one.name).join(', ')}</bdi>. Nobody gets in with{' '}
            {held.length === 1 ? 'it' : 'them'} any more
          </li>
        )}
        {pending !== undefined && pending.length > 0 && (
          <li>{counted(pending.length, 'pending invitation')}, which can no longer be accepted</li>
        )}
      </ul>
      <p>
        Every record that <bdi>{name}</bdi> has made or changed stays, and the log still tells who did what. The account
        itself cannot be brought back: you would make a new one.
      </p>
    </AskFirst>
  )
}
