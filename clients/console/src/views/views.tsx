import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { firstStep, isPlaceFor, type PlaceFor } from '../app/places.js'
import { go, linkTo, type Route } from '../app/route.js'
import { identity, session } from '../app/session.js'
import { WITHOUT_RECORDS } from '../model/access.js'
import { refOf } from '../model/records.js'
import { ButtonLink, Later, Page, Placeholder, Skeleton, Toasts } from '../ui/kit.js'
import { Home, ListOf } from './browse/Home.js'
import { isJoin, Join } from './Join.js'
import { Notices } from './notices/Notices.js'
import { Deleted } from './past/Deleted.js'
import { RecordPage } from './record/RecordPage.js'
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

const loadAdministration = () => import('./administration.js')
const loadOthers = () => import('./others.js')

type Administration = Awaited<ReturnType<typeof loadAdministration>>
type Others = Awaited<ReturnType<typeof loadOthers>>

const ofHub = (view: (module: Administration) => VNode): VNode => <Later load={loadAdministration}>{view}</Later>
const other = (view: (module: Others) => VNode): VNode => <Later load={loadOthers}>{view}</Later>

interface View {
  readonly who: PlaceFor
  readonly of: (step: string | undefined) => VNode
}
const records = (of: View['of']): View => ({ who: 'records', of })
const managing = (who: PlaceFor, view: (module: Administration, step: string | undefined) => VNode): View => ({
  who,
  of: (step) => ofHub((module) => view(module, step))
})

/** What each first step of an address leads to, and for whom; records of any kind are one page. */
const VIEWS: Readonly<Record<string, View>> = {
  account: { who: 'account', of: () => other(({ AccountPage }) => <AccountPage />) },
  approve: { who: 'account', of: (code) => other(({ ApprovePage }) => <ApprovePage key={code} code={code} />) },
  'compare-environments': records(() => other(({ SideBySide }) => <SideBySide />)),
  collections: records((id) => (id === undefined ? <Home /> : <NotFound />)),
  audit: managing('audit', ({ Audit }) => <Audit />),
  deleted: records(() => <Deleted />),
  environments: records(() => (
    <ListOf kind="environment" action={<ButtonLink href={linkTo(['compare-environments'])}>Side by side</ButtonLink>} />
  )),
  groups: managing('people', ({ Groups, GroupPage }, id) =>
    id === undefined ? <Groups /> : <GroupPage key={id} id={id} />
  ),
  health: managing('admin', ({ Health }) => <Health />),
  'live-pages': records(() => <ListOf kind="livePage" />),
  'live-servers': records(() => <ListOf kind="liveServer" />),
  invitations: managing('people', ({ Invitations }) => <Invitations />),
  locks: managing('admin', ({ Locks }) => <Locks />),
  notices: records(() => <Notices />),
  people: managing('people', ({ People, NewAccount, PersonPage }, id) => {
    if (id === undefined) return <People />
    return id === 'new' ? <NewAccount /> : <PersonPage key={id} id={id} />
  }),
  'run-results': records((id) =>
    other(({ RunResults, RunResultPage }) => (id === undefined ? <RunResults /> : <RunResultPage key={id} id={id} />))
  ),
  snippets: records(() => <ListOf kind="snippet" />),
  tokens: managing('people', ({ Tokens }) => <Tokens />),
  usage: managing('admin', ({ Usage }) => <Usage />),
  webhooks: records((id) =>
    other(({ Webhooks, WebhookPage }) => (id === undefined ? <Webhooks /> : <WebhookPage key={id} id={id} />))
  )
}

/** The view that an address leads to. */
export function viewOf({ path }: Route): VNode {
  const [first, second] = path
  if (first === undefined) return <First />
  const ref = refOf(path)
  if (ref) return isPlaceFor('records') ? <RecordPage key={ref.id} record={ref} /> : <NotForYou />
  const view = Object.hasOwn(VIEWS, first) ? VIEWS[first] : undefined
  if (view) return isPlaceFor(view.who) ? view.of(second) : <NotForYou />
  return <NotFound />
}

function NotFound() {
  return (
    <Page title="Not found">
      <Placeholder icon="search" title="There is no such page">
        <p>The link may have been cut off on its way.</p>
        <ButtonLink href={linkTo([])}>Go to the first page</ButtonLink>
      </Placeholder>
    </Page>
  )
}

/** Where somebody begins: the collections, or for who sees none what their account is for. */
function First() {
  const step = firstStep()
  useEffect(() => {
    if (step !== null) go(linkTo([step]), { replace: true })
  }, [step])
  return step === null ? <Home /> : <Skeleton />
}

/** In place of a view that the hub would refuse each part of: who it is for, and where to go on. */
function NotForYou() {
  const { exactRole: role } = identity().user
  return (
    <Page title="Not for this account">
      <Placeholder icon="lock" title={role === 'user' ? 'This is for administrators' : 'This is not for your account'}>
        <p>
          {role === 'user' ? 'Your account works with records.' : `${WITHOUT_RECORDS[role]}: that is what it does.`} Ask
          whoever runs the hub where you need to know more, or to open more.
        </p>
        <ButtonLink href={linkTo([])}>Go to the first page</ButtonLink>
      </Placeholder>
    </Page>
  )
}
