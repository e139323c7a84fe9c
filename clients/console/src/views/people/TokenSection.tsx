import type { Schemas } from '@collections-hub/client'
import { tokens } from '../../app/accounts.js'
import { counted } from '../../model/numbers.js'
import { sortedTokens } from '../../model/people.js'
import { Button } from '../../ui/Button.js'
import { Section } from '../../ui/Section.js'
import { Show } from '../../ui/Show.js'
import { IssueToken } from './IssueToken.js'
import css from './people.module.css'
import { TokenTable } from './TokenTable.js'
import { useDialog } from './useDialog.js'

/** The tokens of one account, the last used first. */
export function TokenSection({ user }: { readonly user: Schemas['User'] }) {
  const issuing = useDialog()
  return (
    <Section
      title="Tokens"
      aside={
        <Button kind="quiet" icon="plus" onClick={issuing.open}>
          Issue a token
        </Button>
      }
    >
      <Show of={tokens}>
        {(all) => {
          const own = all.filter(({ userId }) => userId === user.id)
          if (own.length === 0) return <p class={css.soft}>It has no token, so nobody gets in with it.</p>
          const rows = sortedTokens(own, { by: 'used', isReversed: false }, () => user.name)
          return <TokenTable label={counted(own.length, 'token')} tokens={rows} isOfOne />
        }}
      </Show>
      {issuing.isOpen && <IssueToken user={user} close={issuing.close} />}
    </Section>
  )
}
