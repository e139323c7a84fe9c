import { useState } from 'preact/hooks'
import { signInAddress } from '../app/providers.js'
import { keepWanted, lastTenant, signIn } from '../app/session.js'
import { tenantFault, tokenFault } from '../model/signingIn.js'
import { Button, ButtonLink, Field, Notice } from '../ui/kit.js'
import { Entrance, Foreign, useProviders } from './Entrance.js'

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
    else if (tenantFault(tenant) === undefined) void signIn(token, tenant, !isForeign)
  }
  return (
    <Entrance tab="Sign in" title="Collections Hub" lead="Sign in for all tabs of this browser, until you sign out.">
      {reason !== undefined && <Notice tone="bad">{reason}</Notice>}
      <Providers />
      <form class="stack gap-8" onSubmit={enter}>
        <Field
          label="Token"
          type="password"
          autoComplete="off"
          spellcheck={false}
          value={token}
          fault={fault}
          hint="It begins with hbk_. Whoever runs the hub gives you one, or an invitation to get it with."
          change={(text) => {
            setToken(text)
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
            fault={tenantFault(tenant)}
            hint="Its id, as whoever invited you has told it. Leave it empty where the address of the hub is your team's own."
            change={setTenant}
          />
        </details>
        <Foreign isForeign={isForeign} change={setForeign} />
        <Button kind="primary" type="submit">
          Sign in
        </Button>
      </form>
    </Entrance>
  )
}

/** The ways to sign in that need no token, where there are any. */
function Providers() {
  const providers = useProviders()
  if (providers.length === 0) return null
  return (
    <>
      {providers.map((one) => (
        <ButtonLink key={one.id} kind="primary" href={signInAddress(one)} onClick={keepWanted}>
          Sign in with {one.name}
        </ButtonLink>
      ))}
      <p class="hint">Or with your token, the same that the desktop uses:</p>
    </>
  )
}
