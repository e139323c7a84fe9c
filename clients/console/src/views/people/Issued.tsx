import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { hubUrl } from '../../app/hub.js'
import { identity } from '../../app/session.js'
import { addressFault, inviteLink, isLoopback } from '../../model/inviteLink.js'
import { CopyField } from '../../ui/CopyField.js'
import { Field } from '../../ui/Field.js'
import { Notice } from '../../ui/Notice.js'
import { Qr } from '../../ui/Qr.js'
import { Time } from '../../ui/Time.js'
import css from './people.module.css'
import type { Keeping } from './useKeeping.js'

interface IssuedTokenProps {
  readonly secret: string
  readonly keeping: Keeping
  /** Whether it is for who looks. */
  readonly isOwn?: boolean
}

/** A token that was just issued, for the only time. */
export function IssuedTokenNote({ secret, keeping, isOwn = false }: IssuedTokenProps) {
  return (
    <div class={css.issued}>
      <Notice tone="note">
        This token is shown this once. The hub keeps no copy of it:{' '}
        {isOwn
          ? 'keep it where you keep passwords. The desktop takes it too.'
          : 'hand it over now, as you would a password.'}
      </Notice>
      <CopyField label="Token" value={secret} onCopy={keeping.kept} />
      {keeping.isWarned && (
        <Notice tone="bad">
          It has not been copied, and cannot be shown again. Close once more to leave it behind.
        </Notice>
      )}
    </div>
  )
}

interface InvitationProps {
  readonly issued: Schemas['IssuedInvitation']
  readonly keeping: Keeping
}

/** An invitation that was just made, for the only time: as a link, and as a code for a phone's camera. */
export function IssuedInvitationNote({ issued: { user, invitation, secret }, keeping }: InvitationProps) {
  const [address, setAddress] = useState(hubUrl)
  const fault = addressFault(address)
  const { expiresAt } = invitation
  const link = inviteLink(fault ? hubUrl : address.trim(), user, { expiresAt, secret }, identity().tenantId)
  return (
    <div class={css.issued}>
      <Notice tone="note">
        This link is shown this once, and works once: send it to <bdi>{user.name}</bdi> alone. It is good until{' '}
        <Time at={invitation.expiresAt} />, and can be revoked before it is used.
      </Notice>
      <CopyField label="Invitation link" value={link} onCopy={keeping.kept} />
      {keeping.isWarned && (
        <Notice tone="bad">
          It has not been copied, and cannot be shown again. Leave once more to leave it behind; you can make another
          one.
        </Notice>
      )}
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
        onInput={({ currentTarget }) => setAddress(currentTarget.value)}
      />
    </div>
  )
}
