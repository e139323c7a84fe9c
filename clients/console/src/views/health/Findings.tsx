import { type Check, isWrong, verdict } from '../../model/health.js'
import { counted } from '../../model/numbers.js'
import { Icon } from '../../ui/Icon.js'
import css from './Findings.module.css'

/** What the checks have found: what is wrong at once, with what to do about it, and all else when somebody asks. */
export function Findings({ checks }: { readonly checks: readonly Check[] }) {
  const wrong = checks.filter(isWrong)
  const rest = checks.filter((one) => !isWrong(one))
  const { status, text } = verdict(checks)
  return (
    <>
      <p class={`${css.verdict} ${css[status]}`} role="status">
        <Icon name={status === 'ok' ? 'check' : 'warning'} size={22} />
        {text}
      </p>
      {wrong.length > 0 && <List checks={wrong} />}
      {rest.length > 0 && (
        <details class={css.rest}>
          <summary>{counted(rest.length, 'check finds nothing wrong', 'checks find nothing wrong')}</summary>
          <List checks={rest} />
        </details>
      )}
    </>
  )
}

function List({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul class={css.findings}>
      {checks.map(({ name, status, subject, text, advice }, index) => (
        <li key={index} class={`${css.finding} ${css[status]}`}>
          <span class={css.name}>
            {name}
            {subject !== null && <bdi class={css.subject}>{subject}</bdi>}
          </span>
          <span>
            <span class={css.text}>{text}</span>
            {advice !== null && <span class={css.advice}>{advice}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
