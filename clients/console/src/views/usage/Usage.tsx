import { now } from '../../app/clock.js'
import { useLoadable } from '../../app/loaded.js'
import { linkWith, route } from '../../app/route.js'
import { isUsageBy, limitsOf, monthFrom, monthIn, monthLabel, monthOf } from '../../model/usage.js'
import { Button, ButtonLink } from '../../ui/Button.js'
import { Page } from '../../ui/Page.js'
import { Show } from '../../ui/Show.js'
import { Breakdown } from './Breakdown.js'
import { Limits } from './Limits.js'
import { type Usage as Loaded, loadUsage } from './loadUsage.js'
import { NoUsage } from './NoUsage.js'
import { Totals } from './Totals.js'
import css from './Usage.module.css'

/** What models were used for in a month, by whom, and what that cost. */
export function Usage() {
  const { query } = route.value
  const month = monthIn(query.get('month'), now.value)
  const asked = query.get('by')
  const by = isUsageBy(asked) ? asked : 'day'
  const usage = useLoadable((signal) => loadUsage(month, by, signal), [month, by])
  return (
    <Page title="Usage" lead="What models were used for, and what that cost." actions={<Months month={month} />}>
      <Show of={usage}>{(loaded) => <Month month={month} usage={loaded} />}</Show>
    </Page>
  )
}

function Months({ month }: { readonly month: string }) {
  const next = monthFrom(month, 1)
  return (
    <div class={css.months}>
      <ButtonLink icon="back" href={linkWith({ month: monthFrom(month, -1) })} aria-label="The month before" />
      <strong aria-live="polite">{monthLabel(month)}</strong>
      {next <= monthOf(now.value) ? (
        <ButtonLink icon="open" href={linkWith({ month: next })} aria-label="The month after" />
      ) : (
        <Button icon="open" aria-label="The month after" disabled />
      )}
    </div>
  )
}

function Month({ month, usage }: { readonly month: string; readonly usage: Loaded }) {
  const { report, byUser, accounts, offered } = usage
  const used = new Map(byUser.usage.map(({ key, totalTokens }) => [key, totalTokens]))
  const limits = accounts.length > 0 && <Limits limits={limitsOf(accounts, used)} />
  return report.usage.length === 0 ? (
    <>
      <NoUsage month={month} offered={offered} />
      {limits}
    </>
  ) : (
    <>
      <Totals report={report} />
      {limits}
      <Breakdown month={month} report={report} />
    </>
  )
}
