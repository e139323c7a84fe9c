import type { Schemas } from '@collections-hub/client'
import { type Failure, failureOf, isAbort } from '../../app/hub.js'
import { type Loadable, useEvery, useLoadable } from '../../app/loaded.js'
import { ask } from '../../app/session.js'
import { type Check, isWrong, verdict, worstFirst } from '../../model/health.js'
import { counted } from '../../model/numbers.js'
import { FailureNote, Icon, Page, Show } from '../../ui/kit.js'
import { Blocks, REFRESH_MS, Reload } from './Blocks.js'
import css from './health.module.css'
import { Standing } from './Standing.js'

/** How the hub stands: what is wrong first, with what to do about it. */
export function Health() {
  const looked = useStatus()
  const state = looked.state.value
  const seen = state.is === 'ready' && state.value.is === 'seen' ? state.value.status : undefined
  return (
    <Page title="Health" lead="Looked at again every ten seconds.">
      <Show of={looked}>
        {(value) =>
          value.is === 'failed' ? (
            <FailureNote failure={value.failure} retry={looked.reload} />
          ) : (
            <Findings checks={worstFirst(value.status.checks, value.status.log.verification)} />
          )
        }
      </Show>
      <Blocks />
      {seen && <Standing status={seen} />}
      <Reload />
    </Page>
  )
}

const TONES = { ok: 'good', warning: 'note', failed: 'bad' } as const

/** What is said of one thing, in its colour. */
const SAID = { ok: 'soft', warning: 'note', failed: 'bad' } as const

/** What the checks have found: what is wrong at once, with what to do about it, and all else when somebody asks. */
function Findings({ checks }: { readonly checks: readonly Check[] }) {
  const wrong = checks.filter(isWrong)
  const rest = checks.filter((one) => !isWrong(one))
  const { status, text } = verdict(checks)
  return (
    <>
      <p class={`notice row large strong gap-6 tone-${TONES[status]}`} role="status">
        <Icon name={status === 'ok' ? 'check' : 'warning'} size={22} />
        {text}
      </p>
      {wrong.length > 0 && <List checks={wrong} />}
      {rest.length > 0 && (
        <details class={css.rest}>
          <summary>{counted(rest.length, 'check finds nothing wrong', 'checks find nothing wrong')}.</summary>
          <List checks={rest} />
        </details>
      )}
    </>
  )
}

function List({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul class="stack gap-6">
      {checks.map(({ name, status, subject, text, advice }, index) => (
        <li key={index} class={`${css.finding} stack`}>
          <span class={status === 'ok' ? '' : 'strong'}>
            {name}
            {subject !== null && <bdi class="light block hint">{subject}</bdi>}
          </span>
          <span>
            <span class={SAID[status]}>{text}</span>
            {advice !== null && <span class="block">{advice}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

export type Status = Schemas['Status']

/** How the hub stood when it was last asked, or why it did not say: what was true before is not shown as if it still were. */
type Looked = { readonly is: 'seen'; readonly status: Status } | { readonly is: 'failed'; readonly failure: Failure }

/** Asks the hub how it stands, again and again while somebody looks. */
function useStatus(): Loadable<Looked> {
  const looked = useLoadable<Looked>(async (signal) => {
    try {
      return { is: 'seen', status: await ask('GET', '/admin/status', { signal }) }
    } catch (error) {
      if (isAbort(error)) throw error
      return { is: 'failed', failure: failureOf(error) }
    }
  }, [])
  useEvery(REFRESH_MS, () => void looked.reload())
  return looked
}
