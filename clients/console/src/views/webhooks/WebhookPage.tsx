import { useState } from 'preact/hooks'
import { useReload } from '../../app/live.js'
import { useAct, useEvery, useLoadable } from '../../app/loaded.js'
import { go, linkTo } from '../../app/route.js'
import {
  type Attempt,
  changeWebhook,
  type Deliveries,
  deleteWebhook,
  enableWebhook,
  loadDeliveries,
  loadWebhook,
  replayWebhook,
  rotateSecret,
  testWebhook,
  type Webhook
} from '../../app/webhooks.js'
import { count, counted } from '../../model/numbers.js'
import { Ask, Badge, Button, Fact, Facts, Field, Menu, Notice, Page, Section, Show, Time, toast } from '../../ui/kit.js'
import { SecretDialog } from './SecretDialog.js'
import { SubscriptionDialog } from './SubscriptionDialog.js'
import { whatOf } from './Webhooks.js'
import css from './webhooks.module.css'

const REFRESH_MS = 10_000

/** Why a webhook was switched off. */
const REASONS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  requested: 'It was switched off by hand.',
  failures: 'Nothing was delivered for days.',
  gone: 'The receiver said that it is gone.',
  access: 'Its owner is gone, or may not see the collection any more.',
  restored: 'The database was restored. Switched on, it is told of what comes from then on.'
}

/** One webhook: what it is told of, where it stands, what came of its last deliveries, and what can be done with it. */
export function WebhookPage({ id }: { readonly id: string }) {
  const webhook = useLoadable((signal) => loadWebhook(id, signal), [id])
  const deliveries = useLoadable((signal) => loadDeliveries(id, signal), [id])
  useReload(webhook, (change) => change.id === id)
  useEvery(REFRESH_MS, deliveries.reload)
  const both = async () => {
    await webhook.reload()
    await deliveries.reload()
  }
  return (
    <Show of={webhook}>
      {(known) => (
        <Page
          title={known.url}
          lead={whatOf(known)}
          above={<a href={linkTo(['webhooks'])}>Webhooks</a>}
          actions={<Actions webhook={known} reload={both} />}
        >
          {!known.isEnabled && (
            <Notice tone="bad">
              It is off{known.disabledAt !== null && <Since at={known.disabledAt} />}.{' '}
              {known.disabledReason && REASONS[known.disabledReason]}
            </Notice>
          )}
          {known.description !== '' && (
            <p>
              <bdi>{known.description}</bdi>
            </p>
          )}
          <Show of={deliveries}>{(standing) => <Standing standing={standing} />}</Show>
        </Page>
      )}
    </Show>
  )
}

const Since = ({ at }: { readonly at: string }) => (
  <>
    {' since '}
    <Time at={at} />
  </>
)

interface ActionsProps {
  readonly webhook: Webhook
  readonly reload: () => Promise<void>
}

function Actions({ webhook, reload }: ActionsProps) {
  const { id, url, isEnabled } = webhook
  const [open, setOpen] = useState<'edit' | 'replay' | 'delete' | null>(null)
  const [secret, setSecret] = useState<string>()
  const { isBusy, failure, run } = useAct()
  const close = () => setOpen(null)
  const act = (work: () => Promise<unknown>) =>
    void run(async () => {
      await work()
      await reload()
    })
  const remove = async () => {
    await deleteWebhook(id)
    go(linkTo(['webhooks']), { replace: true })
  }
  return (
    <>
      {!isEnabled && (
        <Button kind="primary" isBusy={isBusy} onClick={() => act(() => enableWebhook(id))}>
          Switch on
        </Button>
      )}
      <Button isBusy={isBusy} onClick={() => act(async () => toast(cameOf(await testWebhook(id))))}>
        Test
      </Button>
      <Button icon="edit" onClick={() => setOpen('edit')}>
        Change
      </Button>
      <Menu
        label="More with this webhook"
        items={[
          ...(isEnabled
            ? [{ label: 'Switch off', act: () => act(() => changeWebhook(id, { ...webhook, isEnabled: false })) }]
            : []),
          { label: 'Deliver again…', icon: 'history', act: () => setOpen('replay') },
          { label: 'New secret', icon: 'token', act: () => act(async () => setSecret(await rotateSecret(id))) },
          { label: 'Delete…', icon: 'deleted', isDanger: true, act: () => setOpen('delete') }
        ]}
      />
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      {open === 'edit' && (
        <SubscriptionDialog
          title="Change the webhook"
          verb="Save"
          start={webhook}
          act={async (subscription) => {
            await changeWebhook(id, subscription)
            await reload()
          }}
          close={close}
        />
      )}
      {open === 'replay' && <ReplayDialog {...{ id, reload, close }} />}
      {open === 'delete' && (
        <Ask isDanger title="Delete this webhook?" verb="Delete" act={remove} close={close}>
          <p>
            Nothing is sent to <bdi>{url}</bdi> any more, not even what is waiting.
          </p>
        </Ask>
      )}
      {secret !== undefined && <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

interface ReplayProps {
  readonly id: string
  readonly reload: () => Promise<void>
  readonly close: () => void
}

function ReplayDialog({ id, reload, close }: ReplayProps) {
  const [after, setAfter] = useState('0')
  const position = Number(after)
  const isPosition = after.trim() !== '' && Number.isSafeInteger(position) && position >= 0
  const replay = async () => {
    await replayWebhook(id, position)
    close()
    await reload()
  }
  return (
    <Ask title="Deliver again" verb="Deliver again" disabled={!isPosition} act={replay} close={close}>
      <Field
        label="From behind position"
        inputMode="numeric"
        value={after}
        hint="A position of the log; 0 is the beginning. Repeats have the id that they had."
        onInput={({ currentTarget }) => setAfter(currentTarget.value)}
      />
    </Ask>
  )
}

function Standing({ standing: { position, end, failing, deliveries } }: { readonly standing: Deliveries }) {
  return (
    <>
      <Facts>
        <Fact name="Delivered up to">
          position {count(position)} of {count(end)}
          {position >= end ? ', which is all' : ''}
        </Fact>
        {failing && (
          <Fact name="Waiting">
            the change at {count(failing.position)}, tried {counted(failing.attempts, 'time')} since{' '}
            <Time at={failing.since} />, again <Time at={failing.nextAttemptAt} />
          </Fact>
        )}
      </Facts>
      <Section title="Last deliveries">
        {deliveries.length === 0 ? (
          <p class="hint">None yet.</p>
        ) : (
          <ul class="stack">
            {deliveries.map((one) => (
              <li key={`${one.messageId}-${one.attempt}-${one.at}`} class={`${css.delivery} ruled stack gap-2`}>
                <p class="flex wrap gap-6">
                  <Badge tone={isTaken(one) ? 'good' : 'bad'}>{one.status ?? 'failed'}</Badge>
                  <span>{one.type}</span>
                  <span class="hint">
                    position {count(one.position)}, attempt {one.attempt}, {count(one.durationMs)} ms,{' '}
                    <Time at={one.at} />
                  </span>
                </p>
                {!isTaken(one) && <p class="hint">{one.error ?? one.answer}</p>}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

const isTaken = ({ status }: Pick<Attempt, 'status'>): boolean => status !== null && status >= 200 && status < 300

function cameOf({ status, error, durationMs }: Attempt): string {
  return status === null
    ? `It was not reached: ${error ?? 'no answer'}.`
    : `The receiver answered ${status} within ${count(durationMs)} ms.`
}
