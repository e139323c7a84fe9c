import type { Schemas } from '@collections-hub/client'
import { useReload } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { go, isAt, linkTo } from '../../app/route.js'
import { ask, hub, identity, isAdmin } from '../../app/session.js'
import { outcomeOf, summaryOf, whatRan } from '../../model/runResults.js'
import { payloadText, rowsOfRun } from '../../model/runRows.js'
import {
  Ask,
  Badge,
  ButtonLink,
  CodeSection,
  DialogButton,
  Fact,
  Facts,
  Name,
  Page,
  Show,
  Time,
  toast
} from '../../ui/kit.js'
import { Threads } from '../record/Threads.js'
import { RunTable } from './RunTable.js'

/** Where a run result is, whoever has shared it. */
const routeNow = () => (isAdmin.value ? '/admin/run-results/{id}' : '/run-results/{id}')

/** One run result: what ran and what came of it, all that the client has sent, and what people say about it. */
export function RunResultPage({ id }: { readonly id: string }) {
  const result = useLoadable((signal) => ask('GET', routeNow(), { path: { id }, signal }), [id])
  useReload(result, (change) => change.kind === 'runresult' && change.id === id)
  return (
    <Show of={result} onward={<ButtonLink href={linkTo(['run-results'])}>All run results</ButtonLink>}>
      {(known) => <Result result={known} />}
    </Show>
  )
}

function Result({ result }: { readonly result: Schemas['RunResultWithPayload'] }) {
  const { id, label, payload, createdAt, createdByUserId } = result
  const remove = async () => {
    await hub().request('DELETE', routeNow(), { path: { id } })
    toast('The run result is deleted.')
    if (isAt(['run-results', id])) go(linkTo(['run-results']), { replace: true })
  }
  const deletion = (close: () => void) => (
    <Ask isDanger title="Delete this run result?" verb="Delete" act={remove} close={close}>
      <p>
        <Name of={label} /> goes for everybody who has a link to it, with what was said about it. It cannot be brought
        back.
      </p>
    </Ask>
  )
  return (
    <Page
      title={label}
      above={<a href={linkTo(['run-results'])}>Run results</a>}
      actions={
        (isAdmin.value || createdByUserId === identity().user.id) && (
          <DialogButton kind="danger" icon="deleted" dialog={deletion}>
            Delete
          </DialogButton>
        )
      }
    >
      <Facts>
        <Fact name="What ran">
          <Name of={whatRan(result)} />
        </Fact>
        <Fact name="What came of it">
          <Badge tone={outcomeOf(result).tone}>{summaryOf(result)}</Badge>
        </Fact>
        <Fact name="Shared">
          <Time at={createdAt} />
        </Fact>
      </Facts>
      <RunTable rows={rowsOfRun(payload)} />
      <CodeSection title="What was sent" text={payloadText(payload)} language="json" />
      <Threads record={{ kind: 'runResult', id }} />
    </Page>
  )
}
