import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { invitations } from '../../app/accounts.js'
import { useIsOpen } from '../../app/loaded.js'
import { hub } from '../../app/session.js'
import { Ask, Field, toast } from '../../ui/kit.js'
import { IssuedDialog } from './Issued.js'

interface InviteProps {
  readonly user: Schemas['User']
  readonly close: () => void
}

/** Invites to an account that is there, and shows the link this once. */
export function Invite({ user, close }: InviteProps) {
  const [hours, setHours] = useState('')
  const [issued, setIssued] = useState<Schemas['IssuedInvitation']>()
  const isOpen = useIsOpen()
  const invite = async () => {
    if (hoursFault(hours)) return
    const path = { id: user.id }
    const { body } = await hub().request('POST', '/admin/users/{id}/invitations', { path, body: hoursOf(hours) })
    if (isOpen.current) setIssued(body)
    else toast(`The invitation for ${user.name} is made, and was not shown to you. Revoke it, and make another one.`)
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
