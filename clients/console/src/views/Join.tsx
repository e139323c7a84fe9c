import type { HubClient, Schemas } from '@collections-hub/client'
import { computed } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Failure, hubOf } from '../app/hub.js'
import { useAct, useLoadable } from '../app/loaded.js'
import { bindProvider } from '../app/providers.js'
import { go, linkTo, route } from '../app/route.js'
import { signIn } from '../app/session.js'
import { Button, CopyField, Field, Notice, Time } from '../ui/kit.js'
import { Entrance, Foreign, useProviders } from './Entrance.js'
import { Uncopied, useKeeping } from './people/Issued.js'

/** Whether the link is that of an invitation, which the join page hands over behind `#`. */
export const isJoin = computed(() => route.value.path[0] === 'join')

/**
 * Accepting an invitation in the browser: it becomes a token, which is shown once to be kept, or by which a provider is bound to the
 * account. Only what the hub says of the invitation itself ends it: whatever else fails can be tried again.
 */
export function Join() {
  const [secret] = useState(() => route.value.query.get('code') ?? '')
  const [tenant] = useState(() => route.value.query.get('tenant') ?? '')
  const nobody = useMemo(() => hubOf(undefined, () => {}, tenant), [tenant])
  const [issued, setIssued] = useState<string>()
  // The secret leaves the address at once: no history and no screenshot has it.
  useEffect(() => go(linkTo(['join']), { replace: true }), [])

  if (secret === '') {
    return (
      <Entrance
        title="Open the invitation once more"
        lead="Its secret is not kept in the address. Its link is good until somebody accepts it, or it is over."
      >
        <ToSignIn />
      </Entrance>
    )
  }
  if (issued !== undefined) return <Issued token={issued} tenant={tenant} />
  return <Invited nobody={nobody} secret={secret} accepted={setIssued} />
}

interface InvitedProps {
  readonly nobody: HubClient
  readonly secret: string
  readonly accepted: (token: string) => void
}

/** What the invitation is for, once the hub has told. */
function Invited({ nobody, secret, accepted }: InvitedProps) {
  const preview = useLoadable(
    async (signal) => (await nobody.request('POST', '/auth/invitations/preview', { body: { secret }, signal })).body,
    [nobody, secret]
  )
  const [over, setOver] = useState<Failure>()
  const state = preview.state.value
  const failure = over ?? (state.is === 'failed' ? state.failure : undefined)
  if (failure && (isOver(failure) || failure.status === 400)) {
    return (
      <Entrance title="This invitation cannot be used" lead="Ask whoever invited you for a new one.">
        <Notice tone="bad">{failure.message}</Notice>
        <ToSignIn />
      </Entrance>
    )
  }
  if (failure) {
    return (
      <Entrance title="You are invited to this hub" lead="It cannot tell more of the invitation right now.">
        <Notice tone="bad">{failure.message}</Notice>
        <Button onClick={() => void preview.reload()}>Try again</Button>
      </Entrance>
    )
  }
  if (state.is !== 'ready') return null
  return <Accept nobody={nobody} secret={secret} accepted={accepted} preview={state.value} ended={setOver} />
}

interface AcceptProps extends InvitedProps {
  readonly preview: Schemas['InvitationPreview']
  /** The invitation was used or revoked, or is over, since it was looked at. */
  readonly ended: (failure: Failure) => void
}

function Accept({ nobody, secret, accepted, preview, ended }: AcceptProps) {
  const [name, setName] = useState('Browser')
  const { isBusy, failure, run } = useAct()
  useEffect(() => {
    if (failure && isOver(failure)) ended(failure)
  }, [failure])
  const redeem = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      const body = { secret, tokenName: name }
      accepted((await nobody.request('POST', '/auth/invitations/redeem', { body })).body.secret)
    })
  }
  const isOfName = failure?.status === 400
  return (
    <Entrance
      title={`Welcome, ${preview.user.name}`}
      lead="You are invited to this hub. Accepting makes a token for you."
    >
      <p>
        The invitation is good until <Time at={preview.expiresAt} />, and works once.
      </p>
      <form class="stack gap-8" onSubmit={redeem} noValidate>
        <Field
          label="What to call the token"
          value={name}
          hint="So that you know it again among others."
          fault={isOfName ? failure.message : undefined}
          change={setName}
        />
        {failure && !isOfName && <Notice tone="bad">{failure.message}</Notice>}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Accept
        </Button>
      </form>
    </Entrance>
  )
}

/** What the hub says of an invitation that it never had, that became a token whose secret was lost on its way, or that is over. */
const isOver = ({ status }: Failure): boolean => status === 404 || status === 409 || status === 410

function Issued({ token, tenant }: { readonly token: string; readonly tenant: string }) {
  const [isForeign, setForeign] = useState(false)
  const providers = useProviders()
  const keeping = useKeeping()
  const enter = async () => {
    // The browser keeps it from here on.
    keeping.kept()
    go(linkTo([]), { replace: true })
    await signIn(token, tenant, !isForeign)
  }
  return (
    <Entrance title="You are in" lead="This is your token. Keep it where you keep passwords: it is shown this once.">
      <CopyField label="Your token" value={token} onCopy={keeping.kept} />
      <Uncopied keeping={keeping} />
      <Foreign isForeign={isForeign} change={setForeign} />
      <Button kind="primary" onClick={() => void enter()}>
        Open the hub
      </Button>
      {providers.map((one) => (
        <Button key={one.id} onClick={() => void enter().then(() => bindProvider(one))}>
          Sign in with {one.name} from now on
        </Button>
      ))}
    </Entrance>
  )
}

function ToSignIn() {
  return <Button onClick={() => go(linkTo([]), { replace: true })}>Sign in with a token</Button>
}
