import { HubRequestError, type Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { failureOf } from '../../app/hub.js'
import { useAct, useEvery, useLoadable } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { ask, hub } from '../../app/session.js'
import { duration, sectionsIn } from '../../model/health.js'
import { Button, Notice, Section, Show, toast } from '../../ui/kit.js'
import css from './health.module.css'

type Block = Schemas['BlockedAddress']

const FAILED: Readonly<Record<Block['failuresWith'], string>> = {
  oneSecret: 'failed to sign in too often with one token',
  anySecret: 'failed to sign in too often with one token or another',
  invitations: 'tried invitations that are none too often'
}

/** Addresses that may not sign in for a while, and letting them try again. */
export function Blocks() {
  const blocks = useLoadable(async (signal) => (await ask('GET', '/admin/throttle', { signal })).blocks, [])
  useEvery(REFRESH_MS, () => void blocks.reload())
  return (
    <Section title="Blocked addresses">
      <Show of={blocks}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">No address is blocked.</p>
          ) : (
            <ul class="stack gap-4">
              {all.map((block) => (
                <BlockRow key={`${block.address} ${block.failuresWith}`} block={block} done={blocks.reload} />
              ))}
            </ul>
          )
        }
      </Show>
    </Section>
  )
}

function BlockRow({ block, done }: { readonly block: Block; readonly done: () => Promise<void> }) {
  const { address, failuresWith, seconds } = block
  const { isBusy, failure, run } = useAct()
  const unblock = () =>
    run(async () => {
      try {
        await hub().request('DELETE', '/admin/throttle/{address}', { path: { address } })
        toast(`${address} may try again.`)
      } catch (error) {
        // Its time is over, or somebody else was first.
        if (failureOf(error).status !== 404) throw error
      } finally {
        await done()
      }
    })
  return (
    <li class={`${css.block} row wrap gap-wide`}>
      <p>
        <a href={linkTo(['audit'], { address })}>
          <bdi>{address}</bdi>
        </a>{' '}
        {FAILED[failuresWith]}.<span class="block hint">Blocked for {duration(seconds)} more.</span>
      </p>
      <Button isBusy={isBusy} onClick={unblock} aria-label={`Unblock ${address}`}>
        Unblock
      </Button>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </li>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  reloaded: 'is in force',
  unchanged: 'is as it was',
  failed: 'could not be used; what was there before goes on',
  'restart-required': 'has changed; a restart puts it in force'
}

interface Report {
  readonly sections: ReturnType<typeof sectionsIn>
  /** Why nothing of the file could be used. */
  readonly refusal?: string
}

/** Reading the configuration file again, and what came of it. */
export function Reload() {
  const { isBusy, run } = useAct()
  const [report, setReport] = useState<Report>()
  const reload = () =>
    run(async () => {
      try {
        setReport({ sections: sectionsIn(await ask('POST', '/admin/config/reload')) })
      } catch (error) {
        const sections = error instanceof HubRequestError ? sectionsIn(error.problem) : []
        setReport({ sections, refusal: failureOf(error).message })
      }
    })
  return (
    <Section title="Configuration">
      <div class={`${css.reload} row wrap gap-wide`}>
        <p>What has changed in server.yaml counts when it is read again. Some of it needs a restart.</p>
        <Button isBusy={isBusy} onClick={reload}>
          Read it again
        </Button>
      </div>
      <div role="status" class={`${css.report} if-any stack gap-4`}>
        {report?.refusal !== undefined && <Notice tone="bad">{report.refusal}</Notice>}
        {report && report.sections.length > 0 && (
          <ul>
            {report.sections.map(({ section, status, error }) => (
              <li key={section} class={status === 'failed' ? 'bad' : ''}>
                <code>{section}</code> {WORDS[status] ?? status}
                {error !== undefined && `: ${error}`}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}

/** How often what is shown is asked for again while the page can be seen. */
export const REFRESH_MS = 10_000
