import type { Schemas } from '@collections-hub/client'
import { HubRequestError } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { users } from '../../app/accounts.js'
import { go, linkWith } from '../../app/route.js'
import { hub, identity } from '../../app/session.js'
import { useAct } from '../../app/useAct.js'
import { useTyped } from '../../app/useTyped.js'
import { type AccountForm, accountOf, changesOf, faultsOf, formOf, isAccountForm } from '../../model/account.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import { toast } from '../../ui/toasts.js'
import { AccountFields } from './AccountFields.js'
import css from './form.module.css'
import { Meanwhile } from './Meanwhile.js'

/** An account as the hub has it, with the tag that a change of it names. */
export interface LoadedAccount {
  readonly user: Schemas['User']
  readonly etag: string | null
}

interface EditProps {
  readonly loaded: LoadedAccount
  readonly reload: () => Promise<void>
}

/** What is filled in, and the account that it began with. */
interface Typed {
  readonly base: LoadedAccount
  readonly form: AccountForm
}

function isTyped(value: unknown): value is Typed {
  if (typeof value !== 'object' || value === null) return false
  const { base, form } = value as { readonly base?: Partial<LoadedAccount>; readonly form?: unknown }
  return isAccountForm(form) && typeof base?.user?.id === 'string'
}

/** Changing an account. Where somebody else was faster both are shown, and nothing of either is lost. */
export function EditAccount({ loaded, reload }: EditProps) {
  const { typed, type, forget } = useTyped(
    `account/${loaded.user.id}`,
    () => ({ base: loaded, form: formOf(loaded.user) }),
    isTyped
  )
  const { base, form } = typed
  const [isTried, setTried] = useState(false)
  const { isBusy, failure, run } = useAct()
  const faults = faultsOf(form)
  const mine = changesOf(base.user, accountOf(form))
  const isOvertaken = loaded.etag !== base.etag
  const change = (by: Partial<AccountForm>) => type({ form: { ...form, ...by } })
  const leave = () => {
    forget()
    go(linkWith({ edit: null }), { replace: true })
  }

  /** Goes on from what is there now, with what was changed here on top of it. */
  const takeIn = () => {
    type({ base: loaded, form: formOf({ ...loaded.user, ...mine }) })
  }
  const save = async () => {
    const { id } = base.user
    const match = base.etag === null ? {} : { ifMatch: base.etag }
    try {
      await hub().request('PUT', '/admin/users/{id}', { path: { id }, body: mine, ...match })
    } catch (error) {
      if (!(error instanceof HubRequestError) || error.status !== 412) throw error
      return reload()
    }
    toast(`${accountOf(form).name} is saved.`)
    leave()
    await Promise.all([reload(), users.reload()])
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length > 0 || isOvertaken) return
    if (Object.keys(mine).length === 0) leave()
    else void run(save)
  }
  return (
    <form class={css.form} onSubmit={submit} noValidate>
      <AccountFields
        form={form}
        change={change}
        faults={isTried ? faults : {}}
        isSelf={base.user.id === identity().user.id}
      />
      {isOvertaken && <Meanwhile before={base.user} now={loaded.user} mine={mine} takeIn={takeIn} />}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <div class={css.buttons}>
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={isOvertaken}>
          Save
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </div>
    </form>
  )
}
