import type { Schemas } from '@collections-hub/client'
import { count, counted } from '../../model/numbers.js'
import { money } from '../../model/usage.js'
import { Notice } from '../../ui/Notice.js'
import css from './Usage.module.css'

/** All of a month in a few numbers, and what is missing from them. */
export function Totals({ report: { total, unpriced, unloggedTokens } }: { readonly report: Schemas['SpendReport'] }) {
  return (
    <>
      <dl class={css.totals}>
        <div class={css.total}>
          <dt>Money</dt>
          <dd>{money(total.cost)}</dd>
        </div>
        <div class={css.total}>
          <dt>Tokens</dt>
          <dd>
            {count(total.totalTokens)}
            <span class={css.small}>
              {count(total.promptTokens)} sent, {count(total.completionTokens)} answered
            </span>
          </dd>
        </div>
        <div class={css.total}>
          <dt>Steps</dt>
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
          {counted(unloggedTokens, 'token')} more were counted by an older hub, which did not say for what.
        </Notice>
      )}
    </>
  )
}
