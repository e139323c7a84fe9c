import { worstFirst } from '../../model/health.js'
import { FailureNote } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { Show } from '../../ui/Show.js'
import { Blocks } from './Blocks.js'
import { Findings } from './Findings.js'
import { Reload } from './Reload.js'
import { Standing } from './Standing.js'
import { useStatus } from './useStatus.js'

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
