import type { Schemas } from '@collections-hub/client'
import { linkTo } from '../../app/route.js'
import { count } from '../../model/numbers.js'
import { dayLabel, money, type Spend, USAGE_BY, type UsageBy } from '../../model/usage.js'
import css from './UsageTable.module.css'

interface Row {
  readonly key: string
  readonly name?: string | null | undefined
}

/** What a row is called: a day, a model, or somebody who may be gone by now. */
export function nameOf(by: UsageBy, { key, name }: Row): string {
  if (by === 'day') return dayLabel(key)
  return by === 'model' ? key : (name ?? 'An account that is gone')
}

/** The numbers of the bars, those who used most first; days in their order. */
export function UsageTable({ report: { by, usage, total } }: { readonly report: Schemas['SpendReport'] }) {
  const rows = by === 'day' ? usage : [...usage].sort((one, other) => other.totalTokens - one.totalTokens)
  return (
    <table class={css.table}>
      <caption class="visually-hidden">Use by {USAGE_BY[by].toLowerCase()}</caption>
      <thead>
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
                  <bdi>{row.name}</bdi>
                </a>
              ) : (
                <bdi>{nameOf(by, row)}</bdi>
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
