import type { VNode } from 'preact'
import type { Route } from '../app/route.js'
import { session } from '../app/session.js'
import { refOf } from '../model/records.js'
import { Placeholder, Toasts } from '../ui/kit.js'
import { Audit } from './audit/Audit.js'
import { Home, ListOf } from './browse/Home.js'
import { Health } from './health/Health.js'
import { Notices } from './notices/Notices.js'
import { Deleted } from './past/Deleted.js'
import { Invitations } from './people/Invitations.js'
import { Locks } from './people/Locks.js'
import { NewAccount } from './people/NewAccount.js'
import { People } from './people/People.js'
import { PersonPage } from './people/PersonPage.js'
import { ForAdmins } from './people/parts.js'
import { Tokens } from './people/Tokens.js'
import { RecordPage } from './record/RecordPage.js'
import { Shell } from './Shell.js'
import { isJoin, Join, SignIn } from './SignIn.js'
import { Usage } from './usage/Usage.js'

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

/** What each first step of an address leads to; records of any kind are one page. */
const VIEWS: Readonly<Record<string, (step: string | undefined) => VNode>> = {
  audit: () => forAdmins('Audit', <Audit />),
  deleted: () => <Deleted />,
  environments: () => <ListOf kind="environment" />,
  health: () => forAdmins('Health', <Health />),
  'live-pages': () => <ListOf kind="livePage" />,
  'live-servers': () => <ListOf kind="liveServer" />,
  invitations: () => forAdmins('Invitations', <Invitations />),
  locks: () => forAdmins('Locks', <Locks />),
  notices: () => <Notices />,
  people: peopleView,
  snippets: () => <ListOf kind="snippet" />,
  tokens: () => forAdmins('Tokens', <Tokens />),
  usage: () => forAdmins('Usage', <Usage />)
}

const forAdmins = (title: string, view: VNode): VNode => <ForAdmins title={title}>{view}</ForAdmins>

function peopleView(id: string | undefined): VNode {
  if (id === undefined) return forAdmins('People', <People />)
  return forAdmins('People', id === 'new' ? <NewAccount /> : <PersonPage key={id} id={id} />)
}

/** The view that an address leads to. */
export function viewOf({ path }: Route): VNode {
  const [first, second] = path
  if (first === undefined) return <Home />
  const ref = refOf(path)
  if (ref) return <RecordPage key={ref.id} record={ref} />
  return (
    VIEWS[first]?.(second) ?? (
      <Placeholder icon="search" title="There is no such page">
        <p>The link may have been cut off on its way.</p>
      </Placeholder>
    )
  )
}
