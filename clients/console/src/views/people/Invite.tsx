import type { Schemas } from '@collections-hub/client'
import { useId, useState } from 'preact/hooks'
import { invitations } from '../../app/accounts.js'
import { hub } from '../../app/session.js'
import { useAct } from '../../app/useAct.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Notice } from '../../ui/Notice.js'
import css from './form.module.css'
import { Hours, hoursFault, hoursOf } from './Hours.js'
import { IssuedInvitationNote } from './Issued.js'
import { useKeeping } from './useKeeping.js'

/** Invites to an account that is there, and shows the link this once. */
export function Invite({ user, close }: { readonly user: Schemas['User']; readonly close: () => void }) {
  const [hours, setHours] = useState('')
  const [issued, setIssued] = useState<Schemas['IssuedInvitation']>()
  const { isBusy, failure, run } = useAct()
  const keeping = useKeeping(issued !== undefined, close)
  const form = useId()
  const submit = (event: Event) => {
    event.preventDefault()
    if (hoursFault(hours)) return
    void run(async () => {
      const path = { id: user.id }
      const made = await hub().request('POST', '/admin/users/{id}/invitations', { path, body: hoursOf(hours) })
      setIssued(made.body)
      await invitations.reload()
    })
  }
  if (issued) {
    return (
      <Dialog
        title={`An invitation for ${user.name}`}
        close={keeping.leave}
        actions={
          <Button kind="primary" onClick={keeping.leave}>
            Done
          </Button>
        }
      >
        <IssuedInvitationNote issued={issued} keeping={keeping} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={`Invite ${user.name}`}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            Make the invitation
          </Button>
        </>
      }
    >
      <p>Whoever opens the link gets a token of this account, for as long as the invitation is good.</p>
      <form id={form} class={css.form} onSubmit={submit} noValidate>
        <Hours typed={hours} type={setHours} />
      </form>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}
