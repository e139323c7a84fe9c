import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { useIsOpen } from '../../app/loaded.js'
import { EMPTY_TOKEN, LASTS, scopesFor, type TokenForm, tokenFormFault } from '../../model/tokenForm.js'
import { Ask, Check, Field, Radios, Select, toast } from '../../ui/kit.js'
import { IssuedDialog } from './Issued.js'

interface IssueTokenProps extends Pick<TokenFieldsProps, 'role' | 'mayLetAgentsWrite'> {
  /** Whose it is; left out where it is of the own account. */
  readonly owner?: string
  /** Issues it, and gives its secret. */
  readonly issue: (form: TokenForm) => Promise<string>
  readonly close: () => void
}

/** Issues a further token of an account, and shows it this once. */
export function IssueToken({ owner, issue, close, ...account }: IssueTokenProps) {
  const [form, setForm] = useState(EMPTY_TOKEN)
  const [isTried, setTried] = useState(false)
  const [secret, setSecret] = useState<string>()
  const isOpen = useIsOpen()
  const whose = owner === undefined ? '' : ` of ${owner}`
  const act = async () => {
    setTried(true)
    if (tokenFormFault(form)) return
    const issued = await issue(form)
    if (isOpen.current) setSecret(issued)
    else toast(`The token “${form.name}” is issued, and was not shown to you. Revoke it, and issue another one.`)
  }
  if (secret !== undefined)
    return <IssuedDialog title={`The token “${form.name}”${whose}`} issued={{ secret }} close={close} />
  return (
    <Ask title={`Issue a token${whose}`} verb="Issue it" act={act} close={close}>
      <p>For a program or another computer: give it no more than it needs, and for no longer.</p>
      <TokenFields {...{ form, isTried, ...account }} change={(by) => setForm((form) => ({ ...form, ...by }))} />
    </Ask>
  )
}

interface TokenFieldsProps {
  readonly form: TokenForm
  readonly change: (by: Partial<TokenForm>) => void
  /** Whether faults are shown: once somebody has tried to go on. */
  readonly isTried: boolean
  /** That of the account that the token is of. */
  readonly role: Schemas['User']['exactRole']
  /** Whether agents may be let write with it. */
  readonly mayLetAgentsWrite: boolean
}

const LIMITED = [
  [false, 'All that the account may'],
  [true, 'Only some of it']
] as const

/** What is to be chosen of a new token: its name, how long it lasts, and what it may do. */
function TokenFields({ form, change, isTried, role, mayLetAgentsWrite }: TokenFieldsProps) {
  const { name, lasts, scopes, agentWrites } = form
  const fault = isTried ? tokenFormFault(form) : undefined
  const turn = (scope: string, isOn: boolean) => {
    const others = (scopes ?? []).filter((one) => one !== scope)
    change({ scopes: isOn ? [...others, scope] : others })
  }
  return (
    <>
      <Field
        label="What to call it"
        hint="Such as the device or the program that gets it, so that it is known again later."
        value={name}
        fault={fault?.name}
        change={(name) => change({ name })}
      />
      <Select label="How long it is good" value={lasts} options={LASTS} change={(lasts) => change({ lasts })} />
      <Radios
        legend="What it may do"
        options={LIMITED}
        value={scopes !== null}
        change={(isLimited) => change({ scopes: isLimited ? [] : null })}
      >
        {scopes !== null &&
          scopesFor(role).map(([scope, label, about]) => (
            <Check key={scope} {...{ label, about }} isOn={scopes.includes(scope)} turn={(isOn) => turn(scope, isOn)} />
          ))}
        {fault?.scopes && <p role="alert">{fault.scopes}</p>}
      </Radios>
      {mayLetAgentsWrite && (role === 'user' || role === 'admin') && (
        <AgentWrites isOn={agentWrites} turn={(agentWrites) => change({ agentWrites })} />
      )}
    </>
  )
}

/** Whether agents may write with a token. */
export const AgentWrites = (props: { readonly isOn: boolean; readonly turn: (isOn: boolean) => void }) => (
  <Check label="Agents may write with it" about="Otherwise they only read." {...props} />
)
