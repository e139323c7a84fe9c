import { HubRequestError, type Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { users } from '../../app/accounts.js'
import { useTyped } from '../../app/drafts.js'
import { useAct } from '../../app/loaded.js'
import { go, linkWith } from '../../app/route.js'
import { hub, identity } from '../../app/session.js'
import {
  type Account,
  type AccountForm,
  accountOf,
  changesOf,
  differing,
  faultsOf,
  fieldInWords,
  formOf,
  isAccountForm
} from '../../model/account.js'
import { Button, Notice, toast } from '../../ui/kit.js'
import { AccountFields } from './AccountFields.js'
import css from './people.module.css'

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
    <form class={`${css.form} stack gap-12`} onSubmit={submit} noValidate>
      <AccountFields
        form={form}
        change={change}
        faults={isTried ? faults : {}}
        isSelf={base.user.id === identity().user.id}
      />
      {isOvertaken && <Meanwhile before={base.user} now={loaded.user} mine={mine} takeIn={takeIn} />}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <div class="flex wrap gap-4">
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={isOvertaken}>
          Save
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </div>
    </form>
  )
}

interface MeanwhileProps {
  readonly before: Account
  readonly now: Account
  readonly mine: Partial<Account>
  readonly takeIn: () => void
}

const LABELS = {
  name: 'Name',
  role: 'Role',
  collectionAccess: 'Collections',
  environmentAccess: 'Environments',
  snippetAccess: 'Snippets',
  liveServerAccess: 'Live servers',
  livePageAccess: 'Live pages',
  llmAccess: 'Models',
  llmModels: 'Which models',
  llmMonthlyTokenLimit: 'Monthly limit'
} as const

/** What somebody else has changed while this account was being edited, beside what was changed here. */
function Meanwhile({ before, now, mine, takeIn }: MeanwhileProps) {
  return (
    <Notice tone="bad">
      <div class={`${css.told} stack gap-4`}>
        <p>Somebody was faster: this account was changed while you were editing it.</p>
        <ul class={css.bullets}>
          {differing(before, now).map((field) => (
            <li key={field}>
              {LABELS[field]}: was {fieldInWords(before, field)}, is now <strong>{fieldInWords(now, field)}</strong>
              {field in mine && <>; yours is {fieldInWords({ ...now, ...mine }, field)}</>}
            </li>
          ))}
        </ul>
        <p>
          Go on from what is there now. What you have changed is kept on top of it, and nothing is saved before you say
          so.
        </p>
        <Button onClick={takeIn}>Go on from there</Button>
      </div>
    </Notice>
  )
}
