import type { VNode } from 'preact'
import { linkTo, type Route } from '../app/route.js'
import { session } from '../app/session.js'
import { refOf } from '../model/records.js'
import { ButtonLink, Later, Placeholder, Toasts } from '../ui/kit.js'
import { Home, ListOf } from './browse/Home.js'
import { Notices } from './notices/Notices.js'
import { Deleted } from './past/Deleted.js'
import { RecordPage } from './record/RecordPage.js'
import { Shell } from './Shell.js'
import { isJoin, Join, SignIn } from './SignIn.js'

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

const loadAdministration = () => import('./administration.js')
const loadOthers = () => import('./others.js')

type Administration = Awaited<ReturnType<typeof loadAdministration>>
type Others = Awaited<ReturnType<typeof loadOthers>>

const forAdmins = (title: string, view: (module: Administration) => VNode): VNode => (
  <Later load={loadAdministration}>
    {(module) => <module.ForAdmins title={title}>{view(module)}</module.ForAdmins>}
  </Later>
)
const other = (view: (module: Others) => VNode): VNode => <Later load={loadOthers}>{view}</Later>

/** What each first step of an address leads to; records of any kind are one page. */
const VIEWS: Readonly<Record<string, (step: string | undefined) => VNode>> = {
  account: () => other(({ AccountPage }) => <AccountPage />),
  approve: (code) => other(({ ApprovePage }) => <ApprovePage key={code} code={code} />),
  'compare-environments': () => other(({ SideBySide }) => <SideBySide />),
  audit: () => forAdmins('Audit', ({ Audit }) => <Audit />),
  deleted: () => <Deleted />,
  environments: () => (
    <ListOf kind="environment" action={<ButtonLink href={linkTo(['compare-environments'])}>Side by side</ButtonLink>} />
  ),
  groups: (id) =>
    forAdmins('Groups', ({ Groups, GroupPage }) => (id === undefined ? <Groups /> : <GroupPage key={id} id={id} />)),
  health: () => forAdmins('Health', ({ Health }) => <Health />),
  'live-pages': () => <ListOf kind="livePage" />,
  'live-servers': () => <ListOf kind="liveServer" />,
  invitations: () => forAdmins('Invitations', ({ Invitations }) => <Invitations />),
  locks: () => forAdmins('Locks', ({ Locks }) => <Locks />),
  notices: () => <Notices />,
  people: peopleView,
  'run-results': (id) =>
    other(({ RunResults, RunResultPage }) => (id === undefined ? <RunResults /> : <RunResultPage key={id} id={id} />)),
  snippets: () => <ListOf kind="snippet" />,
  tokens: () => forAdmins('Tokens', ({ Tokens }) => <Tokens />),
  usage: () => forAdmins('Usage', ({ Usage }) => <Usage />),
  webhooks: (id) =>
    other(({ Webhooks, WebhookPage }) => (id === undefined ? <Webhooks /> : <WebhookPage key={id} id={id} />))
}

function peopleView(id: string | undefined): VNode {
  return forAdmins('People', ({ People, NewAccount, PersonPage }) => {
    if (id === undefined) return <People />
    return id === 'new' ? <NewAccount /> : <PersonPage key={id} id={id} />
  })
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
