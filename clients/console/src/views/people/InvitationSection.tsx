import type { Schemas } from '@collections-hub/client'
import { invitations } from '../../app/accounts.js'
import { Button } from '../../ui/Button.js'
import { Section } from '../../ui/Section.js'
import { Show } from '../../ui/Show.js'
import { InvitationTable } from './InvitationTable.js'
import { Invite } from './Invite.js'
import css from './people.module.css'
import { useDialog } from './useDialog.js'

/** The invitations to one account, the newest first. */
export function InvitationSection({ user }: { readonly user: Schemas['User'] }) {
  const inviting = useDialog()
  return (
    <Section
      title="Invitations"
      aside={
        <Button kind="quiet" icon="plus" onClick={inviting.open}>
          Invite
        </Button>
      }
    >
      <Show of={invitations}>
        {(all) => {
          const own = all.filter(({ userId }) => userId === user.id)
          if (own.length === 0) return <p class={css.soft}>Nobody was invited to this account.</p>
          return <InvitationTable label={`Invitations of ${user.name}`} invitations={own} isOfOne />
        }}
      </Show>
      {inviting.isOpen && <Invite user={user} close={inviting.close} />}
    </Section>
  )
}
