import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { invitations, tokens, users } from '../../app/accounts.js'
import { useTyped } from '../../app/drafts.js'
import { useAct } from '../../app/loaded.js'
import { go, isAt, linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { type AccountForm, accountOf, EMPTY_FORM, faultsOf, isAccountForm } from '../../model/account.js'
import { Button, Notice, Page, Radios, toast } from '../../ui/kit.js'
import { AccountFields } from './AccountFields.js'
import { Hours, hoursFault, hoursOf } from './Invite.js'
import { IssuedNote, useKeeping } from './Issued.js'
import { Above, Restored } from './parts.js'
import css from './people.module.css'
import { AgentWrites } from './TokenFields.js'

/** What a new account was made with. */
type Made =
  | { readonly by: 'invitation'; readonly issued: Schemas['IssuedInvitation'] }
  | { readonly by: 'token'; readonly issued: Schemas['CreatedUser'] }

/** What is filled in for a new account. */
interface Typed {
  readonly form: AccountForm
  readonly way: Made['by']
  /** Whether it is for a machine, which nobody signs in as. */
  readonly isService: boolean
  readonly hours: string
  readonly agentWrites: boolean
}

const EMPTY: Typed = { form: EMPTY_FORM, way: 'invitation', isService: false, hours: '', agentWrites: false }

function isTyped(value: unknown): value is Typed {
  if (typeof value !== 'object' || value === null) return false
  const { form, way, isService, hours, agentWrites } = value as Partial<Record<keyof Typed, unknown>>
  const isWay = (way === 'invitation' || way === 'token') && typeof isService === 'boolean'
  return isAccountForm(form) && isWay && typeof hours === 'string' && typeof agentWrites === 'boolean'
}

const HERE = ['people', 'new']

/** Making an account: for somebody who is invited, or with a token that is handed over. */
export function NewAccount() {
  const [made, setMade] = useState<Made>()
  return made ? <MadeAccount made={made} again={() => setMade(undefined)} /> : <AccountToMake tell={setMade} />
}

const WAYS = [
  ['invitation', 'With an invitation', 'a link that becomes their token when they open it'],
  ['token', 'With a token', 'which you hand over yourself: for a program, say']
] as const

const USERS = [
  [false, 'A person', 'who is invited, or gets a token'],
  [true, 'A machine', 'a program or a pipeline: it gets a token, and nobody signs in as it']
] as const

function AccountToMake({ tell }: { readonly tell: (made: Made) => void }) {
  const { typed, type, isRestored, forget } = useTyped('new-account', () => EMPTY, isTyped)
  const { form, isService, hours, agentWrites } = typed
  // Nobody accepts an invitation for a machine.
  const way = isService ? 'token' : typed.way
  const [isTried, setTried] = useState(false)
  const { isBusy, failure, run } = useAct()
  const faults = faultsOf(form)
  const send = async (): Promise<Made> => {
    const made = accountOf(form)
    const account = { ...made, role: made.exactRole }
    if (way === 'token') {
      const body = { ...account, agentWrites, isService }
      return { by: way, issued: (await hub().request('POST', '/admin/users', { body })).body }
    }
    const body = { ...account, ...hoursOf(hours) }
    return { by: way, issued: (await hub().request('POST', '/admin/invited-users', { body })).body }
  }
  const make = async () => {
    const made = await send()
    const { user } = made.issued
    if (isAt(HERE)) tell(made)
    else {
      const open = { label: 'Open', act: () => go(linkTo(['people', user.id])) }
      toast(`The account ${user.name} is made, and its ${made.by} was not shown to you. Its page makes another.`, open)
    }
    forget()
    for (const list of [users, tokens, invitations]) void list.reload()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length > 0 || (way === 'invitation' && hoursFault(hours))) return
    void run(make)
  }
  const discard = () => {
    type(EMPTY)
    forget()
  }
  const cancel = () => {
    forget()
    go(linkTo(['people']))
  }
  return (
    <Page title="New account" above={<Above />} lead="Who it is for, and what it opens.">
      <form class={`${css.form} stack gap-12`} onSubmit={submit} noValidate>
        {isRestored && <Restored discard={discard} />}
        <AccountFields form={form} change={(by) => type({ form: { ...form, ...by } })} faults={isTried ? faults : {}} />
        <Radios legend="Who uses it" options={USERS} value={isService} change={(isService) => type({ isService })} />
        {!isService && <Radios legend="How they get in" options={WAYS} value={way} change={(way) => type({ way })} />}
        {way === 'invitation' ? (
          <Hours typed={hours} type={(hours) => type({ hours })} />
        ) : (
          <AgentWrites isOn={agentWrites} turn={(agentWrites) => type({ agentWrites })} />
        )}
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <div class="flex wrap gap-4">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {way === 'invitation' ? 'Make the account and invite' : 'Make the account and its token'}
          </Button>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      </form>
    </Page>
  )
}

function MadeAccount({ made, again }: { readonly made: Made; readonly again: () => void }) {
  const { user } = made.issued
  const keeping = useKeeping()
  const leave = () => keeping.leave(() => go(linkTo(['people', user.id]), { replace: true }))
  return (
    <Page
      title={made.by === 'invitation' ? `Invitation for ${user.name}` : `Token of ${user.name}`}
      above={<Above />}
      lead="The account is made."
    >
      <IssuedNote issued={made.issued} keeping={keeping} />
      <div class="flex wrap gap-4">
        <Button kind="primary" onClick={leave}>
          Done
        </Button>
        <Button onClick={() => keeping.leave(again)}>Make another account</Button>
      </div>
    </Page>
  )
}
