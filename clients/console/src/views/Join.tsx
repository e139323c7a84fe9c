import type { Schemas } from '@collections-hub/client'
import { computed } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Failure, failureOf, hubOf } from '../app/hub.js'
import { useAct } from '../app/loaded.js'
import { bindProvider } from '../app/providers.js'
import { go, linkTo, route } from '../app/route.js'
import { signIn } from '../app/session.js'
import { Button, CopyField, Field, Notice, Time } from '../ui/kit.js'
import { Entrance, Foreign, useProviders } from './Entrance.js'

/** Whether the link is that of an invitation, which the join page hands over behind `#`. */
export const isJoin = computed(() => route.value.path[0] === 'join')

type Preview = Schemas['InvitationPreview']

/**
 * Accepting an invitation in the browser: it becomes a token, which is shown once to be kept, or by which a provider is bound to the
 * account.
 */
export function Join() {
  const [secret] = useState(() => route.value.query.get('code') ?? '')
  const [tenant] = useState(() => route.value.query.get('tenant') ?? '')
  const nobody = useMemo(() => hubOf(undefined, () => {}, tenant), [tenant])
  const [preview, setPreview] = useState<Preview>()
  const [unknown, setUnknown] = useState<Failure>()
  const [issued, setIssued] = useState<string>()
  const [name, setName] = useState('Browser')
  const [isForeign, setForeign] = useState(false)
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
    if (issued !== undefined) await signIn(issued, tenant, !isForeign)
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
  if (!preview) return null
  return (
    <Entrance
      title={`Welcome, ${preview.user.name}`}
      lead="You are invited to this hub. Accepting makes a token for you."
    >
      <p>
        The invitation is good until <Time at={preview.expiresAt} />, and works once.
      </p>
      <form class="stack gap-8" onSubmit={redeem}>
        <Field
          label="What to call the token"
          value={name}
          hint="So that you know it again among others."
          change={setName}
        />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Accept
        </Button>
      </form>
    </Entrance>
  )
}
