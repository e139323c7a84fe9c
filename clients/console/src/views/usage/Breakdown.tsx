import type { Schemas } from '@collections-hub/client'
import { useMemo } from 'preact/hooks'
import { linkTo, linkWith, route } from '../../app/route.js'
import { type Bars, largest } from '../../model/bars.js'
import { count } from '../../model/numbers.js'
import { dayLabel, daysOf, money, monthLabel, type Spend, USAGE_BY, type UsageBy } from '../../model/usage.js'
import { BarChart } from '../../ui/BarChart.js'
import { Name, Section, Tabs } from '../../ui/kit.js'
import { SaveUsage } from './SaveUsage.js'
import css from './usage.module.css'

type Report = Schemas['SpendReport']

const BARS_MAX = 12
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })
const tokens = (value: number): string => (value < 10_000 ? count(value) : compact.format(value))

/** What was used by day, by person or by model, as bars and as a table. */
export function Breakdown({ month, report }: { readonly month: string; readonly report: Report }) {
  const { by, total } = report
  const isMoney = total.cost !== null && route.value.query.get('of') === 'money'
  const bars = useMemo(() => barsOf(report, month, isMoney), [report, month, isMoney])
  return (
    <Section title={`By ${USAGE_BY[by].toLowerCase()}`}>
      <div class="flex wrap gap-wide">
        <Tabs
          label="By"
          tabs={Object.entries(USAGE_BY).map(([value, label]) => ({
            label,
            href: linkWith({ by: value }),
            isChosen: value === by
          }))}
        />
        {total.cost !== null && (
          <Tabs
            label="Of"
            tabs={[
              { label: 'Tokens', href: linkWith({ of: null }), isChosen: !isMoney },
              { label: 'Money', href: linkWith({ of: 'money' }), isChosen: isMoney }
            ]}
          />
        )}
        <SaveUsage month={month} by={by} />
      </div>
      <BarChart
        label={`${isMoney ? 'Money' : 'Tokens'} by ${USAGE_BY[by].toLowerCase()} in ${monthLabel(month)}; the numbers are in the table below.`}
        bars={bars}
        isLying={by !== 'day'}
        format={isMoney ? money : tokens}
      />
      <UsageTable report={report} />
    </Section>
  )
}

/** Every day of the month has a bar, also where it is empty; of people and models those who used most. */
function barsOf({ by, usage }: Report, month: string, isMoney: boolean): Bars {
  const rows = new Map(usage.map((row) => [row.key, row]))
  const keys = by === 'day' ? daysOf(month) : [...rows.keys()]
  const series = isMoney
    ? [{ label: 'Money', values: keys.map((key) => rows.get(key)?.cost ?? 0) }]
    : [
        { label: 'Sent', values: keys.map((key) => rows.get(key)?.promptTokens ?? 0) },
        { label: 'Answered', values: keys.map((key) => rows.get(key)?.completionTokens ?? 0) }
      ]
  if (by === 'day') return { labels: keys.map((day) => String(Number(day.slice(-2)))), series }
  const labels = keys.map((key) => nameOf(by, rows.get(key) ?? { key }))
  return largest({ labels, series }, BARS_MAX, 'All others')
}

/** What a row is called: a day, a model, a program, or an account or a token, which may be gone by now. */
function nameOf(by: UsageBy, { key, name }: Pick<Report['usage'][number], 'key' | 'name'>): string {
  if (by === 'day') return dayLabel(key)
  if (by === 'user') return name ?? 'An account that is gone'
  if (by === 'token') return name ?? 'A token that is gone'
  return key || 'Not said'
}

/** The numbers of the bars, those who used most first; days in their order. */
function UsageTable({ report: { by, usage, total } }: { readonly report: Schemas['SpendReport'] }) {
  const rows = by === 'day' ? usage : [...usage].sort((one, other) => other.totalTokens - one.totalTokens)
  return (
    <table class={css.table}>
      <caption class="visually-hidden">Use by {USAGE_BY[by].toLowerCase()}</caption>
      <thead class="hint">
        <tr>
          <th scope="col">{USAGE_BY[by]}</th>
          <th scope="col" class={css.more}>
            Steps
          </th>
          <th scope="col" class={css.more}>
            Sent
          </th>
          <th scope="col" class={css.more}>
            Answered
          </th>
          <th scope="col">Tokens</th>
          <th scope="col">Money</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              {by === 'user' && row.name ? (
                <a href={linkTo(['people', row.key])}>
                  <Name of={row.name} />
                </a>
              ) : (
                <Name of={nameOf(by, row)} />
              )}
            </th>
            <Numbers of={row} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          <Numbers of={total} />
        </tr>
      </tfoot>
    </table>
  )
}

function Numbers({ of: { steps, promptTokens, completionTokens, totalTokens, cost } }: { readonly of: Spend }) {
  return (
    <>
      <td class={css.more}>{count(steps)}</td>
      <td class={css.more}>{count(promptTokens)}</td>
      <td class={css.more}>{count(completionTokens)}</td>
      <td>{count(totalTokens)}</td>
      <td>{money(cost)}</td>
    </>
  )
}
