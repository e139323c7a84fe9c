import { leaving } from '../app/route.js'
import type { Identity } from '../app/session.js'
import { signOut } from '../app/session.js'
import { Avatar } from '../ui/Avatar.js'
import { Menu } from '../ui/Menu.js'

/** Who is signed in, and the way out. */
export function Account({ identity: { user, token } }: { readonly identity: Identity }) {
  const role = user.role === 'admin' ? 'Administrator' : 'User'
  return (
    <Menu
      label={`Signed in as ${user.name}`}
      face={<Avatar name={user.name} />}
      about={
        <>
          <strong>{user.name}</strong>
          <br />
          {role}, token {token.prefix}…
        </>
      }
      items={[{ label: 'Sign out', icon: 'leave', act: () => leaving(signOut) }]}
    />
  )
}
