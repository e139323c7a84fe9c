import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { linkTo } from '../../app/route.js'
import { usedInWords } from '../../model/budgets.js'
import { count, counted } from '../../model/numbers.js'
import { type Limit, money } from '../../model/usage.js'
import { Button, Name, Notice, Section } from '../../ui/kit.js'
import { Meter } from '../../ui/Meter.js'
import css from './usage.module.css'

/** So many are shown before somebody asks for all. */
const FIRST = 6

/** Who may use how many tokens in the month, and how much of it they have used; the nearest to the end first. */
export function Limits({ limits }: { readonly limits: readonly Limit[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? limits : limits.slice(0, FIRST)
  return (
    <Section title="Limits">
      <ul class="stack gap-4">
        {shown.map(({ id, name, used, limit, share, state }) => (
          <li key={id} class={`${css.limit} stack`}>
            <a href={linkTo(['people', id])}>
              <Name of={name} />
            </a>
            <Meter
              label={`Used by ${name}`}
              share={share}
              state={state}
              text={usedInWords({ unit: 'tokens', used, limit })}
            />
          </li>
        ))}
      </ul>
      {shown.length < limits.length && (
        <div>
          <Button kind="quiet" onClick={() => setWhole(true)}>
            Show all {count(limits.length)}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** All of a month in a few numbers, and what is missing from them. */
export function Totals({ report: { total, unpriced, unloggedTokens } }: { readonly report: Schemas['SpendReport'] }) {
  return (
    <>
      <dl class={`${css.totals} flex wrap`}>
        <div class={css.total}>
          <dt class="hint">Money</dt>
          <dd>{money(total.cost)}</dd>
        </div>
        <div class={css.total}>
          <dt class="hint">Tokens</dt>
          <dd>
            {count(total.totalTokens)}
            <span class="light hint">
              {count(total.promptTokens)} sent, {count(total.completionTokens)} answered
            </span>
          </dd>
        </div>
        <div class={css.total}>
          <dt class="hint">Steps</dt>
          <dd>{count(total.steps)}</dd>
        </div>
      </dl>
      {unpriced.length > 0 && (
        <Notice tone="note">
          What <bdi>{unpriced.join(', ')}</bdi> costs is not known, and is in no sum. A price goes beside the model in{' '}
          <code>llm.catalog</code> of <code>server.yaml</code>.
        </Notice>
      )}
      {unloggedTokens > 0 && (
        <Notice tone="note">
          {counted(unloggedTokens, 'token')} more were counted of calls that were lost with their hub, or by an older
          hub. They are in no sum.
        </Notice>
      )}
    </>
  )
}
