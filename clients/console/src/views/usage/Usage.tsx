import { offeredModels } from '../../app/budgets.js'
import { now } from '../../app/clock.js'
import { useLoadable } from '../../app/loaded.js'
import { linkTo, linkWith, route } from '../../app/route.js'
import { ask } from '../../app/session.js'
import { counted } from '../../model/numbers.js'
import { isUsageBy, limitsOf, monthFrom, monthIn, monthLabel, monthOf, type UsageBy } from '../../model/usage.js'
import { Button, ButtonLink, Page, Placeholder, Show } from '../../ui/kit.js'
import { Breakdown } from './Breakdown.js'
import { Budgets } from './Budgets.js'
import { Limits, Totals } from './Limits.js'
import css from './usage.module.css'

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
    <div class={`${css.months} row gap-4`}>
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

function Month({ month, usage }: { readonly month: string; readonly usage: Awaited<ReturnType<typeof loadUsage>> }) {
  const { report, byUser, accounts, offered } = usage
  const used = new Map(byUser.usage.map(({ key, totalTokens }) => [key, totalTokens]))
  const isUsed = report.usage.length > 0
  return (
    <>
      {isUsed ? <Totals report={report} /> : <NoUsage month={month} offered={offered} />}
      <Budgets />
      {accounts.length > 0 && <Limits limits={limitsOf(accounts, used)} />}
      {isUsed && <Breakdown month={month} report={report} />}
    </>
  )
}

/** What stands where nothing was used: how models are configured, or who may use those that are there. */
function NoUsage({ month, offered }: { readonly month: string; readonly offered: readonly string[] }) {
  return (
    <Placeholder icon="usage" title={`No model was used in ${monthLabel(month)}`}>
      {offered.length === 0 ? (
        <p>
          This hub offers no models. They are configured in the section <code>llm</code> of <code>server.yaml</code>:
          give a provider its <code>apiKey</code>, reload the configuration in <a href={linkTo(['health'])}>Health</a>,
          and let people use models in <a href={linkTo(['people'])}>People</a>.
        </p>
      ) : (
        <p>
          This hub offers {counted(offered.length, 'model')}: {offered.join(', ')}. Who may use them is said in{' '}
          <a href={linkTo(['people'])}>People</a>.
        </p>
      )}
    </Placeholder>
  )
}

const FIELDS = 'id,name,llmAccess,llmMonthlyTokenLimit'

/** What a month's use of models looks like from one side, and who may use how much. */
async function loadUsage(month: string, by: UsageBy, signal: AbortSignal) {
  const report = (by: UsageBy) => ask('GET', '/admin/llm/usage', { query: { month, by }, signal })
  const wanted = report(by)
  const [own, byUser, { users }] = await Promise.all([
    wanted,
    by === 'user' ? wanted : report('user'),
    ask('GET', '/admin/users', { query: { fields: FIELDS }, signal })
  ])
  const accounts = users.flatMap(({ id, name, llmAccess, llmMonthlyTokenLimit: limit }) =>
    llmAccess && limit !== null ? [{ id, name, limit }] : []
  )
  // Where none was used it matters whether there are any.
  const models = own.usage.length === 0 ? await offeredModels(signal) : []
  return { report: own, byUser, accounts, offered: models.map(({ label }) => label) }
}
