import type { Schemas } from '@collections-hub/client'
import { useId, useState } from 'preact/hooks'
import { tokens } from '../../app/accounts.js'
import { hub } from '../../app/session.js'
import { useAct } from '../../app/useAct.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Field } from '../../ui/Field.js'
import { Notice } from '../../ui/Notice.js'
import { AgentWrites } from './AgentWrites.js'
import css from './form.module.css'
import { IssuedTokenNote } from './Issued.js'
import { useKeeping } from './useKeeping.js'

interface IssueProps {
  readonly user: Pick<Schemas['User'], 'id' | 'name'>
  readonly close: () => void
}

/** Issues a further token of an account, and shows it this once. */
export function IssueToken({ user, close }: IssueProps) {
  const [name, setName] = useState('')
  const [agentWrites, setAgentWrites] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [isTried, setTried] = useState(false)
  const { isBusy, failure, run } = useAct()
  const keeping = useKeeping(secret !== undefined, close)
  const form = useId()
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '') return
    void run(async () => {
      const body = { name, agentWrites }
      const issued = await hub().request('POST', '/admin/users/{id}/tokens', { path: { id: user.id }, body })
      setSecret(issued.body.secret)
      await tokens.reload()
    })
  }
  if (secret !== undefined) {
    return (
      <Dialog
        title={`A token of ${user.name}`}
        close={keeping.leave}
        actions={
          <Button kind="primary" onClick={keeping.leave}>
            Done
          </Button>
        }
      >
        <IssuedTokenNote secret={secret} keeping={keeping} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={`Issue a token of ${user.name}`}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            Issue it
          </Button>
        </>
      }
    >
      <form id={form} class={css.form} onSubmit={submit} noValidate>
        <Field
          label="What to call it"
          hint="Such as the device or the program that gets it, so that it is known again later."
          value={name}
          maxLength={500}
          fault={isTried && name.trim() === '' ? 'Give the token a name first.' : undefined}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <AgentWrites isOn={agentWrites} turn={setAgentWrites} />
      </form>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}
