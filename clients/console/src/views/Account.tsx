import { useState } from 'preact/hooks'
import { changeHubFace, changeOwnFace, hubFace, ownFace } from '../app/faces.js'
import { leaving } from '../app/route.js'
import type { Identity } from '../app/session.js'
import { isAdmin, signOut } from '../app/session.js'
import { Menu } from '../ui/Menu.js'
import { FaceDialog } from './faces/FaceDialog.js'
import { FaceOf } from './faces/FaceOf.js'

/** Who is signed in, what stands for them, and the way out. */
export function Account({ identity: { user, token } }: { readonly identity: Identity }) {
  const [open, setOpen] = useState<'own' | 'hub' | null>(null)
  const close = () => setOpen(null)
  const role = user.role === 'admin' ? 'Administrator' : 'User'
  const ofHub = { label: 'The hub’s avatar…', icon: 'hub', act: () => setOpen('hub') } as const
  return (
    <>
      <Menu
        label={`Signed in as ${user.name}`}
        face={<FaceOf face={ownFace()} />}
        about={
          <>
            <strong>{user.name}</strong>
            <br />
            {role}, token {token.prefix}…
          </>
        }
        items={[
          { label: 'Your avatar…', icon: 'people', act: () => setOpen('own') },
          ...(isAdmin.value ? [ofHub] : []),
          { label: 'Sign out', icon: 'leave', act: () => leaving(signOut) }
        ]}
      />
      {open === 'own' && <FaceDialog title="Your avatar" face={ownFace()} save={changeOwnFace} close={close} />}
      {open === 'hub' && (
        <FaceDialog title="The hub’s avatar" face={hubFace()} isSquare save={changeHubFace} close={close} />
      )}
    </>
  )
}
