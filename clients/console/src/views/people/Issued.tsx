import type { Schemas } from '@collections-hub/client'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { hubUrl } from '../../app/hub.js'
import { guardLeaving } from '../../app/route.js'
import { identity } from '../../app/session.js'
import { addressFault, inviteLink, isLoopback } from '../../model/inviteLink.js'
import { Button, CopyField, Dialog, Field, Name, Notice, Time } from '../../ui/kit.js'
import { Qr } from '../../ui/Qr.js'
import css from './people.module.css'

/** How far somebody is with keeping something that is shown once. */
interface Keeping {
  /** Whether they wanted to leave without having copied it. */
  readonly isWarned: boolean
  readonly kept: () => void
  /** Leaves where it was copied, or where they have been warned. */
  readonly leave: (away: () => void) => void
}

/** Has whoever leaves something that is shown once, by whatever way, think again where they have not copied it. */
export function useKeeping(): Keeping {
  const [isWarned, setWarned] = useState(false)
  // Read between two renders, too: who has copied it may leave in the same moment.
  const mayLeave = useRef(false)
  const settle = (isWarned: boolean) => {
    mayLeave.current = true
    setWarned(isWarned)
  }
  const isSafe = () => mayLeave.current
  const ask = (): boolean => {
    if (isSafe()) return true
    settle(true)
    return false
  }
  // Before it is seen: nobody leaves it earlier.
  useLayoutEffect(() => guardLeaving(ask, isSafe), [])
  return { isWarned, kept: () => settle(false), leave: (away) => void (ask() && away()) }
}

interface UncopiedProps {
  readonly keeping: Keeping
  /** Whether another one can be made in its place. */
  readonly isOneOfMany?: boolean
}

/** What is said to who wanted to leave without having copied it, wherever on the page they were. */
export function Uncopied({ keeping: { isWarned }, isOneOfMany }: UncopiedProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [isWarned])
  return (
    <div ref={place} class="if-any">
      {isWarned && (
        <Notice tone="bad">
          It has not been copied, and cannot be shown again. Leave once more to leave it behind
          {isOneOfMany && '; you can make another one'}.
        </Notice>
      )}
    </div>
  )
}

/** What was just issued: an invitation, or else the secret of a token. */
type Issued = Schemas['IssuedInvitation'] | { readonly secret: string }

interface IssuedProps<I = Issued> {
  readonly issued: I
  readonly keeping: Keeping
  /** Whether it is for who looks. */
  readonly isOwn?: boolean
}

/** What was just issued, in a dialog that nobody closes without having kept it. */
export function IssuedDialog({ title, issued, close }: { title: string; issued: Issued; close: () => void }) {
  const keeping = useKeeping()
  const leave = () => keeping.leave(close)
  return (
    <Dialog
      title={title}
      close={leave}
      actions={
        <Button kind="primary" onClick={leave}>
          Done
        </Button>
      }
    >
      <IssuedNote issued={issued} keeping={keeping} />
    </Dialog>
  )
}

/** A token or an invitation that was just made, for the only time. */
export function IssuedNote({ issued, keeping, isOwn }: IssuedProps) {
  return (
    <div class={`${css.issued} stack gap-8`}>
      {'invitation' in issued ? (
        <Invitation issued={issued} keeping={keeping} />
      ) : (
        <Token issued={issued} keeping={keeping} isOwn={isOwn ?? false} />
      )}
    </div>
  )
}

function Token({ issued: { secret }, keeping, isOwn }: IssuedProps) {
  return (
    <>
      <Notice tone="note">
        This token is shown this once. The hub keeps no copy of it:{' '}
        {isOwn
          ? 'keep it where you keep passwords. The desktop takes it too.'
          : 'hand it over now, as you would a password.'}
      </Notice>
      <CopyField label="Token" value={secret} onCopy={keeping.kept} />
      <Uncopied keeping={keeping} />
    </>
  )
}

/** As a link, and as a code for a phone's camera. */
function Invitation({ issued: { user, invitation, secret }, keeping }: IssuedProps<Schemas['IssuedInvitation']>) {
  const [address, setAddress] = useState(hubUrl)
  const fault = addressFault(address)
  const { expiresAt } = invitation
  const link = inviteLink(fault ? hubUrl : address.trim(), user, { expiresAt, secret }, identity().tenantId)
  return (
    <>
      <Notice tone="note">
        This link is shown this once, and works once: send it to <Name of={user.name} /> alone. It is good until{' '}
        <Time at={invitation.expiresAt} />, and can be revoked before it is used.
      </Notice>
      <CopyField label="Invitation link" value={link} onCopy={keeping.kept} />
      <Uncopied keeping={keeping} isOneOfMany />
      <Qr text={link} label={`The invitation of ${user.name} as a QR code`} />
      <Field
        label="Address of the hub in the link"
        type="url"
        spellcheck={false}
        value={address}
        fault={fault}
        hint={
          isLoopback(address)
            ? 'This address leads to this computer alone. Put the one here that others reach the hub at.'
            : 'As the invited person reaches it. A link with another address is as good.'
        }
        change={setAddress}
      />
    </>
  )
}
