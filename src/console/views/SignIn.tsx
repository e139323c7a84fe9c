import { useState } from 'preact/hooks'
import { signIn } from '../app/session.js'
import { Button } from '../ui/Button.js'
import { Field } from '../ui/Field.js'
import { Notice } from '../ui/Notice.js'
import { Entrance } from './Entrance.js'

/** Signing in with a token, the same that the desktop uses. */
export function SignIn({ reason }: { readonly reason?: string | undefined }) {
  const [token, setToken] = useState('')
  const [fault, setFault] = useState<string>()
  const enter = (event: Event) => {
    event.preventDefault()
    if (token.trim() === '') setFault('Paste your token here first.')
    else void signIn(token)
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
        <Button kind="primary" type="submit">
          Sign in
        </Button>
      </form>
    </Entrance>
  )
}
