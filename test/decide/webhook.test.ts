import { emitUser } from '../../commands/people/user/events.js'
import { emitWebhook, type WebhookContent } from '../../commands/webhooks/events.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { atFirst, by, given } from './given.js'
import { collection } from './made.js'
import { ada, anAccount, bob, nil, only, ops } from './people.js'

const test = suite('deciding on webhooks')

const content = (changes: Partial<WebhookContent> = {}): WebhookContent => ({
  url: 'https://example.com/hook',
  kinds: [],
  types: [],
  collectionId: 'c',
  description: '',
  ...changes
})
const create = (changes: Partial<WebhookContent> = {}) =>
  ({ type: 'CreateWebhook', id: 'w', content: content(changes) }) as const
const created = (id = 'w', ownerId = 'ada') => emitWebhook(id, 'WebhookCreated', { ...content(), ownerId })
const disabled = emitWebhook('w', 'WebhookDisabled', { reason: 'failures' })

const open = given(collection('c'))

test('a user subscribes to a collection that they may see, and owns the webhook', () =>
  open.when(create(), { by: only('c') }).then(created('w', 'sue')))

test('a user may not subscribe to a collection of others, whether it is there or not', async () => {
  await open.when(create(), { by: only('d') }).refused('Forbidden', 403)
  await atFirst.when(create(), { by: nil }).refused('Forbidden', 403)
})

test('only administrators subscribe to everything', async () => {
  const everything = create({ collectionId: null })
  await atFirst
    .when(everything, { by: ada })
    .refused('Name a collectionId: only administrators can subscribe to all changes.', 403)
  await atFirst
    .when(everything, { by: ops })
    .then(emitWebhook('w', 'WebhookCreated', { ...content({ collectionId: null }), ownerId: 'ops' }))
})

test('nobody subscribes to a collection that is not there', () =>
  atFirst.when(create(), { by: ops }).refused('Collection not found', 404))

test('a hub has so many webhooks and no more, and so has an account', async () => {
  const own = Array.from({ length: LIMITS.webhooksOfOne.max }, (_, i) => created(`w${i}`))
  await given(collection('c'), ...own)
    .when(create(), { by: ada })
    .refused(`There are ${LIMITS.webhooksOfOne.max} webhooks, and no more are allowed. Delete some of them first.`, 409)
  await given(collection('c'), ...own)
    .when(create(), { by: bob })
    .then(created('w', 'bob'))
  const all = Array.from({ length: LIMITS.webhooks.max }, (_, i) => created(`w${i}`, `u${i}`))
  await given(collection('c'), ...all)
    .when(create(), { by: ops })
    .refused(`There are ${LIMITS.webhooks.max} webhooks, and no more are allowed. Delete some of them first.`, 409)
})

const there = given(created())

test("another user's webhook is as if it were not there, and an administrator sees to all of them", async () => {
  const command = { type: 'DeleteWebhook', id: 'w' } as const
  await there.when(command, { by: bob }).refused('Webhook not found', 404)
  await atFirst.when(command, { by: ops }).refused('Webhook not found', 404)
  for (const caller of [ada, ops])
    await there.when(command, { by: caller }).then(emitWebhook('w', 'WebhookDeleted', {}))
})

test('a change that changes nothing leaves no event', () =>
  there.when({ type: 'ChangeWebhook', id: 'w', content: content(), isEnabled: true }, { by: ada }).nothing())

test('a webhook is changed and switched off in one', () =>
  there
    .when({ type: 'ChangeWebhook', id: 'w', content: content({ kinds: ['request'] }), isEnabled: false }, { by: ada })
    .then(
      emitWebhook('w', 'WebhookChanged', content({ kinds: ['request'] })),
      emitWebhook('w', 'WebhookDisabled', { reason: 'requested' })
    ))

test('who has lost the collection may still switch the webhook off, and may not turn it to another one', async () => {
  const lost = { ...nil, userId: 'ada' }
  await there
    .when({ type: 'ChangeWebhook', id: 'w', content: content(), isEnabled: false }, { by: lost })
    .then(emitWebhook('w', 'WebhookDisabled', { reason: 'requested' }))
  const other = content({ collectionId: 'd' })
  await given(created(), collection('d'))
    .when({ type: 'ChangeWebhook', id: 'w', content: other, isEnabled: undefined }, { by: lost })
    .refused('Forbidden', 403)
})

test('a webhook is switched on where it is off, and off where it is on', async () => {
  const on = { type: 'EnableWebhook', id: 'w' } as const
  const off = given(created(), disabled)
  await there.when(on).nothing()
  await off.when(on).then(emitWebhook('w', 'WebhookEnabled', {}))
  const disable = { type: 'DisableWebhook', id: 'w', reason: 'gone' } as const
  await off.when(disable).nothing()
  await there.when(disable).then(emitWebhook('w', 'WebhookDisabled', { reason: 'gone' }))
})

test('what the hub has found of a webhook that was changed since does not switch it off', () =>
  given(created(), emitWebhook('w', 'WebhookChanged', content({ url: 'https://example.org/' })))
    .when({ type: 'DisableWebhook', id: 'w', reason: 'failures', seen: 1 })
    .nothing())

test('where it stood is lost: it begins where that was found, unless somebody has said from where', async () => {
  const lost = emitWebhook('w', 'WebhookDisabled', { reason: 'restored' })
  const on = emitWebhook('w', 'WebhookEnabled', {})
  const enable = { type: 'EnableWebhook', id: 'w' } as const
  await given(created(), lost)
    .when(enable)
    .then(emitWebhook('w', 'WebhookReplayed', { after: 2 }), on)
  await given(created(), lost, emitWebhook('w', 'WebhookReplayed', { after: 1 }))
    .when(enable)
    .then(on)
})

test('each rotation counts the version of the secret up', () =>
  given(created(), emitWebhook('w', 'WebhookSecretRotated', { secretVersion: 2 }))
    .when({ type: 'RotateWebhookSecret', id: 'w' })
    .then(emitWebhook('w', 'WebhookSecretRotated', { secretVersion: 3 })))

test('a replay is kept in the log', () =>
  there.when({ type: 'ReplayWebhook', id: 'w', after: 0 }).then(emitWebhook('w', 'WebhookReplayed', { after: 0 })))

test('the webhook of an account that is gone stays, for an administrator to see', () =>
  given(
    by(ops, emitUser('ada', 'UserCreated', anAccount('Ada'))),
    created(),
    by(ops, emitUser('ada', 'UserDeleted', {}))
  )
    .when({ type: 'EnableWebhook', id: 'w' }, { by: ops })
    .nothing())

test.run()
