import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { nameIn } from '../../app/catalog.js'
import { unlessRefused } from '../../app/hub.js'
import { useReload } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { go, linkTo } from '../../app/route.js'
import { ask, isAdmin } from '../../app/session.js'
import { withMarks } from '../../model/marks.js'
import { isKind, wordsFor } from '../../model/records.js'
import { urlMasked } from '../../model/urlSecrets.js'
import { Badge, Button, Icon, Name, Page, Placeholder, Show } from '../../ui/kit.js'
import { SecretDialog } from './SecretDialog.js'
import { EMPTY, SubscriptionDialog } from './SubscriptionDialog.js'

export type Webhook = Schemas['Webhook']

/** One's own webhooks; for administrators all; null where the hub sends none. */
const loadWebhooks = (signal: AbortSignal) =>
  unlessRefused(['webhooks-not-configured'], null, async () => (await ask('GET', '/webhooks', { signal })).webhooks)

/** Where changes are sent to: one's own subscriptions, for administrators all. */
export function Webhooks() {
  const webhooks = useLoadable(loadWebhooks, [])
  useReload(webhooks, ({ kind }) => kind === 'webhook')
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>()
  return (
    <Page
      title="Webhooks"
      lead="Changes that are sent to other programs as they happen."
      actions={
        knownOf(webhooks) && (
          <Button icon="plus" kind="primary" onClick={() => setNew(true)}>
            New webhook
          </Button>
        )
      }
    >
      <Show of={webhooks}>{(list) => (list === null ? <NotConfigured /> : <Lines webhooks={list} />)}</Show>
      {isNew && (
        <SubscriptionDialog
          title="New webhook"
          verb="Subscribe"
          start={EMPTY}
          act={async (body) => {
            const { webhook, secret } = await ask('POST', '/webhooks', { body })
            setMade({ id: webhook.id, secret })
          }}
          close={() => setNew(false)}
        />
      )}
      {made && (
        <SecretDialog
          secret={made.secret}
          close={() => {
            setMade(undefined)
            go(linkTo(['webhooks', made.id]))
          }}
        />
      )}
    </Page>
  )
}

/** What stands where the hub sends nothing, with what would change that. */
function NotConfigured() {
  return (
    <Placeholder icon="live" title="This hub sends no webhooks">
      {isAdmin.value ? (
        <p>
          They are signed with a key, and it has none. Set <code>webhooks.keyFile</code> in <code>server.yaml</code>,
          such as <code>./data/webhook-key</code>, and start the hub again: it makes the key.
        </p>
      ) : (
        <p>Whoever runs the hub can switch them on.</p>
      )}
    </Placeholder>
  )
}

function Lines({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  if (webhooks.length === 0)
    return (
      <Placeholder icon="live" title="No webhooks yet">
        <p>A webhook tells another program of each change: a build, a chat, a backup of your own.</p>
      </Placeholder>
    )
  return (
    <ul class="stack">
      {webhooks.map((webhook) => (
        <Line key={webhook.id} webhook={webhook} />
      ))}
    </ul>
  )
}

function Line({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, description, isEnabled } = webhook
  return (
    <li>
      <a class="listed pick row ruled gap-6" href={linkTo(['webhooks', id])}>
        <Icon name="live" />
        <span class="fit grow">
          <bdi class="block">{urlMasked(url)}</bdi>
          <span class="hint">
            {description !== '' && (
              <>
                <Name of={description} />,{' '}
              </>
            )}
            {whatOf(webhook)}
          </span>
        </span>
        {!isEnabled && <Badge tone="bad">off</Badge>}
      </a>
    </li>
  )
}

/** What a webhook is told of, as people read it. */
export function whatOf({ kinds, types, collectionId }: Webhook): string {
  const changed = kinds.map((kind) => (isKind(kind) ? wordsFor(kind) : kind)).join(', ')
  const what = types.join(', ') || (changed && `changes of ${changed}`) || 'all changes'
  if (collectionId === null) return `${what} of the hub`
  return `${what} in ${withMarks(nameIn('collection', collectionId) ?? 'a collection that you may not see')}`
}
