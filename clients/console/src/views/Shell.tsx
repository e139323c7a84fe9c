import { useEffect, useState } from 'preact/hooks'
import { loadCatalog } from '../app/catalog.js'
import { chosen } from '../app/chosen.js'
import { changeHubFace, changeOwnFace, hubFace, isFaceless, ownFace } from '../app/faces.js'
import { isFollowing, isReachable, reach } from '../app/hub.js'
import { keepFocus } from '../app/keepFocus.js'
import { isTold, unread } from '../app/notices.js'
import { go, leaving, linkTo, route } from '../app/route.js'
import { hubName, identity, isAdmin, seesRecords, session, signOut } from '../app/session.js'
import { ROLE_NAMES } from '../model/access.js'
import { badgeOf, bellName } from '../model/notices.js'
import { Avatar, Button, FailureNote, Icon, Menu, Name, Skeleton } from '../ui/kit.js'
import { Creating } from './editing/NewRecord.js'
import { FaceDialog } from './faces/FaceDialog.js'
import { FileDrop } from './files/FileDrop.js'
import { Keys } from './Keys.js'
import { Navigation } from './Navigation.js'
import { Search } from './search/Search.js'
import css from './shell.module.css'
import { viewOf } from './views.js'

/** What surrounds every view: navigation, search, whether the hub answers, and who is signed in. */
export function Shell() {
  const [isNavigating, setNavigating] = useState(false)
  const state = session.value
  const isOpen = state.is === 'open'
  const isChoosing = chosen.value.length > 0
  useEffect(() => {
    if (isOpen) loadCatalog()
  }, [isOpen])
  // Whoever has followed a link wants to see where it leads, or why it leads nowhere.
  useEffect(() => setNavigating(false), [route.value])
  // What is done with the chosen stands above the tree, where more is chosen.
  useEffect(() => setNavigating(isChoosing), [isChoosing])
  useEffect(() => keepFocus, [route.value])
  return (
    <div class={`${css.shell} stack`}>
      {/* Behind `#` the address says what is open, so this cannot be a link. */}
      <button type="button" class={css.skip} onClick={() => document.getElementById('content')?.focus()}>
        Go to the content
      </button>
      <header class={`${css.top} row fit gap-6`}>
        <Button
          kind="quiet"
          icon="menu"
          aria-label="Navigation"
          aria-expanded={isNavigating}
          onClick={() => setNavigating(!isNavigating)}
        />
        {isOpen && (
          <a
            class={`${css.hub} row still plain gap-4`}
            href={linkTo([])}
            aria-label={`${hubName.value}: ${seesRecords.value ? 'all collections' : 'the first page'}`}
          >
            {isFaceless() ? (
              <span class={`${css.logo} center still`}>
                <Icon name="hub" size={18} />
              </span>
            ) : (
              <Avatar face={hubFace()} isSquare />
            )}
            <Name class={`${css.name} cut bold`} of={hubName.value} />
          </a>
        )}
        {isOpen && seesRecords.value && <Search />}
        <span class="grow" />
        <Connection />
        {isOpen && <Bell />}
        {isOpen && <Account />}
      </header>
      <nav class={`${css.side} flex ${isNavigating ? css.shown : ''}`} aria-label="Hub">
        {isOpen ? <Navigation /> : <Skeleton />}
      </nav>
      {isNavigating && <div class={css.veil} onClick={() => setNavigating(false)} aria-hidden="true" />}
      <main id="content" class={`${css.main} fit scroll`} tabIndex={-1}>
        {state.is === 'opening' && state.failure ? (
          <FailureNote failure={state.failure} />
        ) : isOpen ? (
          viewOf(route.value)
        ) : (
          <Skeleton />
        )}
      </main>
      <FileDrop />
      <Creating />
      <Keys />
    </div>
  )
}

/** What is said of a hub in trouble. */
const TROUBLE = { away: 'The hub does not answer', unready: 'The hub cannot serve now', serving: null } as const

function Connection() {
  const isLive = isReachable.value && isFollowing.value
  // Who sees no records follows no changes, and that is as it should be.
  if (session.value.is === 'open' && !seesRecords.value && isReachable.value) return null
  const text = TROUBLE[reach.value] ?? (isLive ? 'Live' : 'Not live')
  return (
    <span
      class={`${css.connection} row unbroken hint gap-3 ${isLive ? css.live : ''}`}
      role="status"
      title={isLive ? 'Changes appear by themselves.' : 'What is shown may be old.'}
    >
      <span class={css.dot} aria-hidden="true" />
      {text}
    </span>
  )
}

/** Who is signed in, what stands for them, and the way out. */
function Account() {
  const { user, token } = identity()
  const [open, setOpen] = useState<'own' | 'hub' | null>(null)
  const close = () => setOpen(null)
  const ofHub = { label: 'The hub’s avatar…', icon: 'hub', act: () => setOpen('hub') } as const
  return (
    <>
      <Menu
        label={`Signed in as ${user.name}`}
        face={<Avatar face={ownFace()} />}
        about={
          <>
            <strong>{user.name}</strong>
            <br />
            {ROLE_NAMES[user.exactRole]}, token {token.prefix}…
          </>
        }
        items={[
          { label: 'Your account', icon: 'token', act: () => go(linkTo(['account'])) },
          { label: 'Your avatar…', icon: 'people', act: () => setOpen('own') },
          ...(isAdmin.value ? [ofHub] : []),
          { label: 'Sign out', icon: 'leave', act: () => leaving(() => void signOut(), true) }
        ]}
      />
      {open === 'own' && <FaceDialog title="Your avatar" face={ownFace()} save={changeOwnFace} close={close} />}
      {open === 'hub' && (
        <FaceDialog title="The hub’s avatar" face={hubFace()} isSquare save={changeHubFace} close={close} />
      )}
    </>
  )
}

/** The way to what others have done, with how much of it is new; nothing for who is told nothing. */
function Bell() {
  if (!isTold()) return null
  const count = unread.value
  return (
    <a
      class={`${css.bell} center within still soft plain`}
      href={linkTo(['notices'])}
      aria-label={bellName(count)}
      aria-current={route.value.path[0] === 'notices' ? 'page' : undefined}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span class={css.count} aria-hidden="true">
          {badgeOf(count)}
        </span>
      )}
    </a>
  )
}
