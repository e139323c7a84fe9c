import { useState } from 'preact/hooks'
import { lastTenant, signIn } from '../app/session.js'
import { tokenFault } from '../model/signingIn.js'
import { Button } from '../ui/Button.js'
import { Field } from '../ui/Field.js'
import { Notice } from '../ui/Notice.js'
import { Entrance } from './Entrance.js'

/** Signing in with a token, the same that the desktop uses. */
export function SignIn({ reason }: { readonly reason?: string | undefined }) {
  const [token, setToken] = useState('')
  const [tenant, setTenant] = useState(lastTenant)
  const [fault, setFault] = useState<string>()
  const enter = (event: Event) => {
    event.preventDefault()
    const wrong = tokenFault(token)
    if (wrong !== undefined) setFault(wrong)
    else void signIn(token, tenant)
  }
  return (
    <Entrance title="Collections Hub" lead="Sign in with your token. It is kept for this tab alone.">
      {reason !== undefined && <Notice tone="bad">{reason}</Notice>}
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
        <Button kind="primary" type="submit">
          Sign in
        </Button>
      </form>
    </Entrance>
  )
}
