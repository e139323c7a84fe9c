import type { Schemas } from '@collections-hub/client'
import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Failure, failureOf, hubOf } from '../app/hub.js'
import { useAct } from '../app/loaded.js'
import { bindProvider, type Offered, offeredProviders, signInAddress } from '../app/providers.js'
import { go, linkTo, route } from '../app/route.js'
import { lastTenant, signIn } from '../app/session.js'
import { tokenFault } from '../model/signingIn.js'
import { Button, CopyField, Field, Icon, Notice, Tick, Time } from '../ui/kit.js'
import css from './shell.module.css'

/** Signing in with a provider, or with a token, the same that the desktop uses. */
export function SignIn({ reason }: { readonly reason?: string | undefined }) {
  const [token, setToken] = useState('')
  const [tenant, setTenant] = useState(lastTenant)
  const [isForeign, setForeign] = useState(false)
  const [fault, setFault] = useState<string>()
  const enter = (event: Event) => {
    event.preventDefault()
    const wrong = tokenFault(token)
    if (wrong !== undefined) setFault(wrong)
    else void signIn(token, tenant, !isForeign)
  }
  return (
    <Entrance title="Collections Hub" lead="Sign in for all tabs of this browser, until you sign out.">
      {reason !== undefined && <Notice tone="bad">{reason}</Notice>}
      <Providers />
      <form onSubmit={enter}>
        <Field
          label="Token"
          type="password"
          autoComplete="off"
          spellcheck={false}
          value={token}
          fault={fault}
          hint="It begins with hbk_. Whoever runs the hub gives you one, or an invitation to get it with."
          onInput={({ currentTarget }) => {
            setToken(currentTarget.value)
            setFault(undefined)
          }}
        />
        <details open={tenant !== ''}>
          <summary>The hub has several tenants</summary>
          <Field
            label="Tenant"
            autoComplete="off"
            spellcheck={false}
            value={tenant}
            hint="Its id, as whoever invited you has told it. Leave it empty where the address of the hub is your team's own."
            onInput={({ currentTarget }) => setTenant(currentTarget.value)}
          />
        </details>
        <Tick
          type="checkbox"
          label="This is not my computer"
          about="You stay signed in in this tab alone, until it is closed."
          checked={isForeign}
          onChange={({ currentTarget }) => setForeign(currentTarget.checked)}
        />
        <Button kind="primary" type="submit">
          Sign in
        </Button>
      </form>
    </Entrance>
  )
}

function useProviders(): readonly Offered[] {
  const [providers, setProviders] = useState<readonly Offered[]>([])
  useEffect(() => void offeredProviders().then(setProviders), [])
  return providers
}

/** The ways to sign in that need no token, where there are any. */
function Providers() {
  const providers = useProviders()
  if (providers.length === 0) return null
  return (
    <>
      {providers.map((one) => (
        <a key={one.id} class={css.provider} href={signInAddress(one)}>
          Sign in with {one.name}
        </a>
      ))}
      <p class="hint">Or with your token, the same that the desktop uses:</p>
    </>
  )
}

/** Whether the link is that of an invitation, which the join page hands over behind `#`. */
export const isJoin = computed(() => route.value.path[0] === 'join')

type Preview = Schemas['InvitationPreview']

/** Accepting an invitation in the browser: it becomes a token, which is shown once to be kept, or by which a provider is bound to the account. */
export function Join() {
  const [secret] = useState(() => route.value.query.get('code') ?? '')
  const [tenant] = useState(() => route.value.query.get('tenant') ?? '')
  const nobody = useMemo(() => hubOf(undefined, () => {}, tenant), [tenant])
  const [preview, setPreview] = useState<Preview>()
  const [unknown, setUnknown] = useState<Failure>()
  const [issued, setIssued] = useState<string>()
  const [name, setName] = useState('Browser')
  const providers = useProviders()
  const { isBusy, failure: refusal, run } = useAct()

  useEffect(() => {
    // The secret leaves the address at once: no history and no screenshot has it.
    go(linkTo(['join']), { replace: true })
    nobody
      .request('POST', '/auth/invitations/preview', { body: { secret } })
      .then(({ body }) => setPreview(body))
      .catch((error: unknown) => setUnknown(failureOf(error)))
  }, [secret, nobody])

  const redeem = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      const { body } = await nobody.request('POST', '/auth/invitations/redeem', { body: { secret, tokenName: name } })
      setIssued(body.secret)
    })
  }
  const enter = async () => {
    go(linkTo([]), { replace: true })
    if (issued !== undefined) await signIn(issued, tenant, true)
  }

  const failure = unknown ?? refusal
  if (failure) {
    return (
      <Entrance title="This invitation cannot be used" lead="Ask whoever invited you for a new one.">
        <Notice tone="bad">{failure.message}</Notice>
        <Button onClick={() => go(linkTo([]), { replace: true })}>Sign in with a token</Button>
      </Entrance>
    )
  }
  if (issued !== undefined) {
    return (
      <Entrance title="You are in" lead="This is your token. Keep it where you keep passwords: it is shown this once.">
        <CopyField label="Your token" value={issued} />
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
  if (!preview) return null
  return (
    <Entrance
      title={`Welcome, ${preview.user.name}`}
      lead="You are invited to this hub. Accepting makes a token for you."
    >
      <p>
        The invitation is good until <Time at={preview.expiresAt} />, and works once.
      </p>
      <form onSubmit={redeem}>
        <Field
          label="What to call the token"
          value={name}
          hint="So that you know it again among others."
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Accept
        </Button>
      </form>
    </Entrance>
  )
}

/** A page for who is not signed in: one card, and nothing else. */
function Entrance({
  title,
  lead,
  children
}: {
  readonly title: string
  readonly lead: string
  readonly children: ComponentChildren
}) {
  return (
    <main class={`${css.page} stack`}>
      <div class={`${css.card} stack gap-8`}>
        <span class={`${css.mark} center`}>
          <Icon name="hub" size={28} />
        </span>
        <h1>{title}</h1>
        <p class="soft">{lead}</p>
        {children}
      </div>
    </main>
  )
}
