import { session } from '../app/session.js'
import { Toasts } from '../ui/toasts.js'
import { isJoin, Join } from './Join.js'
import { Shell } from './Shell.js'
import { SignIn } from './SignIn.js'

/** All of it: signing in, and what is there for who is signed in. */
export function Console() {
  const state = session.value
  return (
    <>
      {isJoin.value ? <Join /> : state.is === 'closed' ? <SignIn reason={state.reason} /> : <Shell />}
      <Toasts />
    </>
  )
}
