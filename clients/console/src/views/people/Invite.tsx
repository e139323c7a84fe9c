import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { invitations, tokens } from '../../app/accounts.js'
import { hub } from '../../app/session.js'
import { EMPTY_TOKEN, tokenBodyOf, tokenFormFault } from '../../model/tokenForm.js'
import { Ask, Field } from '../../ui/kit.js'
import { IssuedDialog } from './Issued.js'
import { TokenFields } from './TokenFields.js'

interface IssueProps {
  readonly user: Schemas['User']
  readonly close: () => void
}

/** Invites to an account that is there, and shows the link this once. */
export function Invite({ user, close }: IssueProps) {
  const [hours, setHours] = useState('')
  const [issued, setIssued] = useState<Schemas['IssuedInvitation']>()
  const invite = async () => {
    if (hoursFault(hours)) return
    const path = { id: user.id }
    const { body } = await hub().request('POST', '/admin/users/{id}/invitations', { path, body: hoursOf(hours) })
    setIssued(body)
    await invitations.reload()
  }
  if (issued) return <IssuedDialog title={`An invitation for ${user.name}`} issued={issued} close={close} />
  return (
    <Ask title={`Invite ${user.name}`} verb="Make the invitation" act={invite} close={close}>
      <p>Whoever opens the link gets a token of this account, for as long as the invitation is good.</p>
      <Hours typed={hours} type={setHours} />
    </Ask>
  )
}

/** Issues a further token of an account, and shows it this once. */
export function IssueToken({ user, close }: IssueProps) {
  const [form, setForm] = useState(EMPTY_TOKEN)
  const [secret, setSecret] = useState<string>()
  const [isTried, setTried] = useState(false)
  const issue = async () => {
    setTried(true)
    if (tokenFormFault(form)) return
    const body = tokenBodyOf(form, Date.now())
    const issued = await hub().request('POST', '/admin/users/{id}/tokens', { path: { id: user.id }, body })
    setSecret(issued.body.secret)
    await tokens.reload()
  }
  if (secret !== undefined) return <IssuedDialog title={`A token of ${user.name}`} issued={{ secret }} close={close} />
  return (
    <Ask title={`Issue a token of ${user.name}`} verb="Issue it" act={issue} close={close}>
      <TokenFields
        form={form}
        change={(by) => setForm((form) => ({ ...form, ...by }))}
        isTried={isTried}
        role={user.role}
        mayLetAgentsWrite
      />
    </Ask>
  )
}

const FAULT = 'This must be a whole number of hours, from 1 on, or empty.'
/** A thousand years, beyond which nobody means it. */
const HOURS_DIGITS = /^[1-9]\d{0,6}$/

/** What is wrong with the hours that somebody has typed; undefined where nothing is. */
export const hoursFault = (typed: string): string | undefined =>
  typed.trim() === '' || HOURS_DIGITS.test(typed.trim()) ? undefined : FAULT

/** How long an invitation lasts, as the hub is told; nothing where the hub's own setting counts. */
export const hoursOf = (typed: string): { readonly expiresInHours?: number } =>
  typed.trim() === '' ? {} : { expiresInHours: Number(typed.trim()) }

/** How many hours an invitation is good for. */
export function Hours({ typed, type }: { readonly typed: string; readonly type: (typed: string) => void }) {
  return (
    <Field
      label="Good for how many hours"
      inputMode="numeric"
      value={typed}
      fault={hoursFault(typed)}
      hint="Empty for what the hub is set to, which is 24 unless somebody has changed it."
      change={type}
    />
  )
}
