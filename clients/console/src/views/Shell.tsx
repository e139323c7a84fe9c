import { useEffect, useState } from 'preact/hooks'
import { loadCatalog } from '../app/catalog.js'
import { hubFace } from '../app/faces.js'
import { isReachable } from '../app/hub.js'
import { isFollowing } from '../app/live.js'
import { linkTo, route } from '../app/route.js'
import { session } from '../app/session.js'
import { Button } from '../ui/Button.js'
import { Notice } from '../ui/Notice.js'
import { Skeleton } from '../ui/Show.js'
import { Account } from './Account.js'
import { FaceOf } from './faces/FaceOf.js'
import { FileDrop } from './files/FileDrop.js'
import { Navigation } from './Navigation.js'
import { Bell } from './notices/Bell.js'
import css from './Shell.module.css'
import { Search } from './search/Search.js'
import { viewOf } from './views.js'

/** What surrounds every view: navigation, search, whether the hub answers, and who is signed in. */
export function Shell() {
  const [isNavigating, setNavigating] = useState(false)
  const state = session.value
  const where = route.value.path.join('/')
  const isOpen = state.is === 'open'
  useEffect(() => {
    if (isOpen) loadCatalog()
  }, [isOpen])
  // Whoever has followed a link wants to see where it leads.
  useEffect(() => setNavigating(false), [where])
  return (
    <div class={css.shell}>
      <button type="button" class={css.skip} onClick={skip}>
        Go to the content
      </button>
      <header class={css.top}>
        <Button
          kind="quiet"
          icon="menu"
          aria-label="Navigation"
          aria-expanded={isNavigating}
          onClick={() => setNavigating(!isNavigating)}
        />
        {isOpen && (
          <a class={css.hub} href={linkTo([])} aria-label={`${state.identity.hub.name}: all collections`}>
            <FaceOf face={hubFace()} isSquare />
          </a>
        )}
        {isOpen && <Search />}
        <span class={css.space} />
        <Connection />
        {isOpen && <Bell />}
        {isOpen && <Account identity={state.identity} />}
      </header>
      <nav class={`${css.side} ${isNavigating ? css.shown : ''}`} aria-label="Hub">
        {isOpen ? <Navigation /> : <Skeleton />}
      </nav>
      {isNavigating && <div class={css.veil} onClick={() => setNavigating(false)} aria-hidden="true" />}
      <main id="content" class={css.main} tabIndex={-1}>
        {state.is === 'opening' && state.failure && <Notice tone="note">{state.failure.message}</Notice>}
        {isOpen ? viewOf(route.value) : <Skeleton />}
      </main>
      <FileDrop />
    </div>
  )
}

/** Behind `#` the address says what is open, so this cannot be a link. */
function skip(): void {
  document.getElementById('content')?.focus()
}

function Connection() {
  const isLive = isReachable.value && isFollowing.value
  const text = !isReachable.value ? 'The hub does not answer' : isLive ? 'Live' : 'Not live'
  return (
    <span
      class={`${css.connection} ${isLive ? css.live : ''}`}
      role="status"
      title={isLive ? 'Changes appear by themselves.' : 'What is shown may be old.'}
    >
      <span class={css.dot} aria-hidden="true" />
      {text}
    </span>
  )
}
