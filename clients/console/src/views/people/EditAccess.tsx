import { HubRequestError } from '@collections-hub/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useTyped } from '../../app/drafts.js'
import { useAct } from '../../app/loaded.js'
import { go, isAt, linkWith, route } from '../../app/route.js'
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
import { Restored } from './parts.js'
import css from './people.module.css'

/** What is edited as the hub has it, with the tag that a change of it names. */
interface Base {
  readonly account: Account
  readonly etag: string | null
}

interface EditProps extends Base {
  /** What it is called where somebody else was faster. */
  readonly what: 'account' | 'group'
  /** Where the tab keeps what is typed. */
  readonly place: string
  readonly fields: (fields: {
    readonly form: AccountForm
    readonly change: (by: Partial<AccountForm>) => void
    readonly faults: ReturnType<typeof faultsOf>
  }) => ComponentChildren
  /** Sends what is changed, while that is still what was read. */
  readonly put: (changes: Partial<Account>, match: { readonly ifMatch?: string }) => Promise<unknown>
  readonly reload: () => Promise<unknown>
}

/** What is filled in, and what it began with. */
interface Typed {
  readonly base: Base
  readonly form: AccountForm
}

function isTyped(value: unknown): value is Typed {
  if (typeof value !== 'object' || value === null) return false
  const { base, form } = value as { readonly base?: Partial<Base>; readonly form?: unknown }
  return isAccountForm(form) && typeof base?.account?.name === 'string'
}

/** Changing an account or a group. Where somebody else was faster both are shown, and nothing of either is lost. */
export function EditAccess({ account, etag, what, place, fields, put, reload }: EditProps) {
  const { typed, type, isRestored, forget } = useTyped(
    place,
    () => ({ base: { account, etag }, form: formOf(account) }),
    isTyped
  )
  const { base, form } = typed
  const [isTried, setTried] = useState(false)
  const { isBusy, failure, run } = useAct()
  const faults = faultsOf(form)
  const mine = changesOf(base.account, accountOf(form))
  // Another tag alone says nothing: what is not filled in here may have changed.
  const isOvertaken = etag !== base.etag && differing(base.account, account).length > 0
  const leave = () => {
    forget()
    go(linkWith({ edit: null }), { replace: true })
  }
  const save = async () => {
    const { path } = route.peek()
    try {
      await put(mine, etag === null ? {} : { ifMatch: etag })
    } catch (error) {
      // What is there by now says what to do, unless it differs in nothing that is filled in here.
      if (error instanceof HubRequestError && error.status === 412) await reload()
      throw error
    }
    toast(`${accountOf(form).name} is saved.`)
    forget()
    // Elsewhere another form may be open by now.
    if (isAt(path)) go(linkWith({ edit: null }), { replace: true })
    await reload()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length > 0 || isOvertaken) return
    if (Object.keys(mine).length === 0) leave()
    else void run(save)
  }
  const discard = () => {
    type({ base: { account, etag }, form: formOf(account) })
    forget()
  }
  /** Goes on from what is there now, with what was changed here on top of it. */
  const takeIn = () => type({ base: { account, etag }, form: formOf({ ...account, ...mine }) })
  return (
    <form class={`${css.form} stack gap-12`} onSubmit={submit} noValidate>
      {isRestored && <Restored discard={discard} />}
      {fields({ form, change: (by) => type({ form: { ...form, ...by } }), faults: isTried ? faults : {} })}
      {isOvertaken && <Meanwhile what={what} before={base.account} now={account} mine={mine} takeIn={takeIn} />}
      {failure && !isOvertaken && <Notice tone="bad">{failure.message}</Notice>}
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
  readonly what: string
  readonly before: Account
  readonly now: Account
  readonly mine: Partial<Account>
  readonly takeIn: () => void
}

const LABELS = {
  name: 'Name',
  exactRole: 'Role',
  collectionAccess: 'Collections',
  environmentAccess: 'Environments',
  snippetAccess: 'Snippets',
  liveServerAccess: 'Live servers',
  livePageAccess: 'Live pages',
  llmAccess: 'Models',
  llmModels: 'Which models',
  llmMonthlyTokenLimit: 'Monthly limit'
} as const

/** What somebody else has changed while this was being edited, beside what was changed here. */
function Meanwhile({ what, before, now, mine, takeIn }: MeanwhileProps) {
  return (
    <Notice tone="bad">
      <div class={`${css.told} stack gap-4`}>
        <p>Somebody was faster: this {what} was changed while you were editing it.</p>
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
