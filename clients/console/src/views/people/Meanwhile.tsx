import { type Account, differing, fieldInWords } from '../../model/account.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import css from './people.module.css'

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
export function Meanwhile({ before, now, mine, takeIn }: MeanwhileProps) {
  return (
    <Notice tone="bad">
      <div class={css.told}>
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
