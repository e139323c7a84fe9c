import { useState } from 'preact/hooks'
import { issueOwnToken } from '../../app/ownTokens.js'
import { identity } from '../../app/session.js'
import { EMPTY_TOKEN, tokenFormFault } from '../../model/tokenForm.js'
import { Ask } from '../../ui/kit.js'
import { IssuedDialog } from '../people/Issued.js'
import { TokenFields } from '../people/TokenFields.js'

interface IssueOwnTokenProps {
  /** Whether agents may write with the token that is signed in with: else they may with none that it issues. */
  readonly mayLetAgentsWrite: boolean
  readonly issued: () => void
  readonly close: () => void
}

/** Issues a further token of the own account, and shows it this once. */
export function IssueOwnToken({ mayLetAgentsWrite, issued, close }: IssueOwnTokenProps) {
  const [form, setForm] = useState(EMPTY_TOKEN)
  const [isTried, setTried] = useState(false)
  const [secret, setSecret] = useState<string>()
  const issue = async () => {
    setTried(true)
    if (tokenFormFault(form)) return
    setSecret(await issueOwnToken(form))
    issued()
  }
  if (secret !== undefined) return <IssuedDialog title={`The token “${form.name}”`} issued={{ secret }} close={close} />
  return (
    <Ask title="Issue a token" verb="Issue it" act={issue} close={close}>
      <p>For a program or another computer: give it no more than it needs, and for no longer.</p>
      <TokenFields
        form={form}
        change={(by) => setForm((form) => ({ ...form, ...by }))}
        isTried={isTried}
        role={identity().user.role}
        mayLetAgentsWrite={mayLetAgentsWrite}
      />
    </Ask>
  )
}
