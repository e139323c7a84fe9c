import type { Schemas } from '@collections-hub/client'
import { computed } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Failure, failureOf, hubOf } from '../app/hub.js'
import { go, linkTo, route } from '../app/route.js'
import { signIn } from '../app/session.js'
import { Button } from '../ui/Button.js'
import { Field } from '../ui/Field.js'
import { Notice } from '../ui/Notice.js'
import { Time } from '../ui/Time.js'
import { Entrance } from './Entrance.js'

/** Whether the link is that of an invitation, which the join page hands over behind `#`. */
export const isJoin = computed(() => route.value.path[0] === 'join')

type Preview = Schemas['InvitationPreview']

/** Accepting an invitation in the browser: it becomes a token of this tab, which is shown once to be kept. */
export function Join() {
  const [secret] = useState(() => route.value.query.get('code') ?? '')
  const [tenant] = useState(() => route.value.query.get('tenant') ?? '')
  const nobody = useMemo(() => hubOf(undefined, () => {}, tenant), [tenant])
  const [preview, setPreview] = useState<Preview>()
  const [failure, setFailure] = useState<Failure>()
  const [issued, setIssued] = useState<string>()
  const [name, setName] = useState('Browser')
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    // The secret leaves the address at once: no history and no screenshot has it.
    go(linkTo(['join']), { replace: true })
    nobody
      .request('POST', '/auth/invitations/preview', { body: { secret } })
      .then(({ body }) => setPreview(body))
      .catch((error: unknown) => setFailure(failureOf(error)))
  }, [secret, nobody])

  const redeem = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const { body } = await nobody.request('POST', '/auth/invitations/redeem', { body: { secret, tokenName: name } })
      setIssued(body.secret)
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const enter = () => {
    go(linkTo([]), { replace: true })
    if (issued !== undefined) void signIn(issued, tenant)
  }

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
        <Field label="Your token" readOnly value={issued} onFocus={({ currentTarget }) => currentTarget.select()} />
        <Button icon="copy" onClick={() => navigator.clipboard.writeText(issued)}>
          Copy it
        </Button>
        <Button kind="primary" onClick={enter}>
          Open the hub
        </Button>
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
