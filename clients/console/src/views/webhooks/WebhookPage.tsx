import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { useReload } from '../../app/live.js'
import { useAct, useEvery, useLoadable } from '../../app/loaded.js'
import { go, isAt, linkTo } from '../../app/route.js'
import { ask, hub } from '../../app/session.js'
import { count } from '../../model/numbers.js'
import { urlMasked } from '../../model/urlSecrets.js'
import { Ask, Button, ButtonLink, DialogButton, Menu, Name, Notice, Page, Show, Time, toast } from '../../ui/kit.js'
import { ReplayDialog, Standing } from './Deliveries.js'
import { SecretDialog } from './SecretDialog.js'
import { SubscriptionDialog } from './SubscriptionDialog.js'
import { type Webhook, whatOf } from './Webhooks.js'

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
  const at = { path: { id } }
  const webhook = useLoadable((signal) => hub().request('GET', '/webhooks/{id}', { ...at, signal }), [id])
  const deliveries = useLoadable((signal) => ask('GET', '/webhooks/{id}/deliveries', { ...at, signal }), [id])
  useReload(webhook, (change) => change.id === id)
  useEvery(REFRESH_MS, deliveries.reload)
  const both = async () => {
    await webhook.reload()
    await deliveries.reload()
  }
  return (
    <Show of={webhook} onward={<ButtonLink href={linkTo(['webhooks'])}>All webhooks</ButtonLink>}>
      {({ body: known, etag }) => (
        <Page
          title={urlMasked(known.url)}
          lead={whatOf(known)}
          above={<a href={linkTo(['webhooks'])}>Webhooks</a>}
          actions={<Actions webhook={known} etag={etag} reload={both} />}
        >
          {!known.isEnabled && (
            <Notice tone="bad">
              It was switched off
              {known.disabledAt !== null && (
                <>
                  {' '}
                  <Time at={known.disabledAt} />
                </>
              )}
              . {known.disabledReason && REASONS[known.disabledReason]}
            </Notice>
          )}
          {known.description !== '' && (
            <p>
              <Name of={known.description} />
            </p>
          )}
          <Show of={deliveries}>{(standing) => <Standing id={id} standing={standing} reload={both} />}</Show>
        </Page>
      )}
    </Show>
  )
}

interface ActionsProps {
  readonly webhook: Webhook
  readonly etag: string | null
  readonly reload: () => Promise<void>
}

/** Puts a whole subscription in place of what was read with this tag, while nobody has changed that. */
const put = (id: string, body: Schemas['ChangeWebhookBody'], etag: string | null) =>
  hub().request('PUT', '/webhooks/{id}', { path: { id }, body, ...(etag !== null && { ifMatch: etag }) })

function Actions({ webhook, etag, reload }: ActionsProps) {
  const { id, url, isEnabled } = webhook
  const [open, setOpen] = useState<'replay' | 'rotate' | 'delete' | null>(null)
  const [secret, setSecret] = useState<string>()
  const { isBusy, failure, run } = useAct()
  const at = { path: { id } }
  const close = () => setOpen(null)
  const switchOff = async () => {
    const now = await hub().request('GET', '/webhooks/{id}', at)
    await put(id, { ...now.body, isEnabled: false }, now.etag)
  }
  const act = (work: () => Promise<unknown>) =>
    void run(async () => {
      await work()
      await reload()
    })
  const rotate = async () => {
    setSecret((await ask('POST', '/webhooks/{id}/rotate', at)).secret)
    close()
    await reload()
  }
  const test = async () => toast(cameOf(await ask('POST', '/webhooks/{id}/test', at)))
  const remove = async () => {
    await hub().request('DELETE', '/webhooks/{id}', at)
    if (isAt(['webhooks', id])) go(linkTo(['webhooks']), { replace: true })
  }
  return (
    <>
      {!isEnabled && (
        <Button
          kind="primary"
          isBusy={isBusy}
          onClick={() => act(() => hub().request('POST', '/webhooks/{id}/enable', at))}
        >
          Switch on
        </Button>
      )}
      <Button isBusy={isBusy} onClick={() => act(test)}>
        Test
      </Button>
      <DialogButton icon="edit" dialog={(close) => <Change {...{ webhook, etag, reload, close }} />}>
        Change
      </DialogButton>
      <Menu
        label="More with this webhook"
        items={[
          ...(isEnabled ? [{ label: 'Switch off', act: () => act(switchOff) }] : []),
          { label: 'Deliver again…', icon: 'history', act: () => setOpen('replay') },
          { label: 'New secret…', icon: 'token', act: () => setOpen('rotate') },
          { label: 'Delete…', icon: 'deleted', isDanger: true, act: () => setOpen('delete') }
        ]}
      />
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      {open === 'replay' && <ReplayDialog {...{ id, reload, close }} start={0} />}
      {open === 'rotate' && (
        <Ask title="Make a new signing secret?" verb="New secret" act={rotate} close={close}>
          <p>For 24 hours messages are signed with the one before too, so that your program can change over.</p>
        </Ask>
      )}
      {open === 'delete' && (
        <Ask isDanger title="Delete this webhook?" verb="Delete" act={remove} close={close}>
          <p>
            Nothing is sent to <bdi>{urlMasked(url)}</bdi> any more, not even what is waiting.
          </p>
        </Ask>
      )}
      {secret !== undefined && <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

/** Changing a webhook from what it was when somebody began: what is read anew meanwhile is no part of that. */
function Change({ webhook, etag, reload, close }: ActionsProps & { readonly close: () => void }) {
  const [start] = useState({ webhook, etag })
  return (
    <SubscriptionDialog
      title="Change the webhook"
      verb="Save"
      start={start.webhook}
      act={async (subscription) => {
        await put(webhook.id, subscription, start.etag).finally(reload)
      }}
      close={close}
    />
  )
}

function cameOf({ status, error, durationMs }: Schemas['WebhookAttempt']): string {
  return status === null
    ? `It was not reached: ${error ?? 'no answer'}.`
    : `The receiver answered ${status} within ${count(durationMs)} ms.`
}
