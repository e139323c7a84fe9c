import { emitUser } from '../../commands/people/user/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { emitComment } from '../../commands/talk/comment/events.js'
import type { NotificationCommand } from '../../commands/talk/notification/decide.js'
import { emitNotification, emitSubscription, type NoticeLevel } from '../../commands/talk/notification/events.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { atFirst, by, given } from './given.js'
import { collection, request } from './made.js'
import { ada, anAccount, anAdmin, bob, nil, only, ops } from './people.js'

const test = suite('deciding on what accounts are told')

const target = { kind: 'request' as const, id: 'r' }
const about = { target, collectionId: 'c' }
const root = emitComment('a', 'CommentWritten', {
  ...about,
  ...{ parentId: null, rootId: 'a', depth: 1, text: 'Why?', mentions: [] }
})
const answer = emitComment('b', 'CommentWritten', {
  ...about,
  ...{ parentId: 'a', rootId: 'a', depth: 2, text: 'So', mentions: [] }
})
const things = [collection('c'), request('r', 'c'), root, answer] as const
const past = given(...things)
const level = (level: NoticeLevel): NotificationCommand => ({ type: 'SetNoticeLevel', level })
const subscribe = (rootId = 'a'): NotificationCommand => ({ type: 'SubscribeToThread', id: 's', rootId })
const unsubscribe = (rootId = 'a', id = 's'): NotificationCommand => ({ type: 'UnsubscribeFromThread', id, rootId })

test('a user chooses which notices come, and the same choice again is no event', async () => {
  const chosen = emitNotification('ada', 'NoticeLevelSet', { level: 'mentions' })
  const mentioned = given(chosen)
  await atFirst.when(level('mentions')).then(chosen)
  await mentioned.when(level('mentions')).nothing()
  await mentioned.when(level('none')).then(emitNotification('ada', 'NoticeLevelSet', { level: 'none' }))
  await mentioned
    .when(level('mentions'), { by: bob })
    .then(emitNotification('bob', 'NoticeLevelSet', { level: 'mentions' }))
  await atFirst.when(level('all'), { by: ops }).refused('Forbidden', 403)
})

test('whoever may see a thread subscribes to it, once, and takes that back', async () => {
  const subscribed = emitSubscription('s', 'ThreadSubscribed', { rootId: 'a' })
  const unsubscribed = emitSubscription('s', 'ThreadUnsubscribed', { rootId: 'a' })
  const done = past.and(subscribed)
  await past.when(subscribe()).then(subscribed)
  await done.when(subscribe()).nothing()
  await done.when(unsubscribe('a', 'other')).then(unsubscribed)
  await past.when(unsubscribe()).then(unsubscribed)
  await past.when(subscribe(), { by: nil }).refused('Forbidden', 403)
})

test('a thread goes by its first comment; what is none cannot be subscribed to, and to unsubscribe from it is nothing', async () => {
  const removed = emitRequest('r', 'RequestDeleted', { name: 'r', collectionId: 'c' })
  for (const [events, id] of [
    [past, 'b'],
    [past, 'nowhere'],
    [past.and(removed), 'a']
  ] as const) {
    await events.when(subscribe(id)).refused('Discussion thread not found', 404)
    await events.when(unsubscribe(id)).nothing()
  }
})

test('a comment mentions those who are named in it and may see it, and not its author', async () => {
  const people = given(
    emitUser('ada', 'UserCreated', anAccount('Ada')),
    emitUser('al', 'UserCreated', anAccount('Al')),
    emitUser('bert', 'UserCreated', anAccount('Al Bert', { collectionAccess: ['c'] })),
    emitUser('eve', 'UserCreated', anAccount('Eve', { collectionAccess: ['d'] })),
    emitUser('ops', 'UserCreated', anAdmin('Ops')),
    emitUser('dan', 'UserCreated', anAccount('Dan')),
    emitUser('dan', 'UserDisabled', { by: 'directory' })
  )
  const written = (text: string, mentions: string[]) =>
    people
      .and(...things)
      .when({ type: 'WriteComment', id: 'x', target, sent: { body: text } }, { by: ada })
      .then(
        emitComment('x', 'CommentWritten', {
          ...{ ...about, parentId: null, rootId: 'x', depth: 1, text, mentions }
        })
      )
  await written('@al bert, see', ['al', 'bert'])
  await written('me@al @Eve @Ops @Ada @Al.x @Al-x @Alan', ['al'])
  await written('@Dan and @al', ['al'])
  await written('@Al. and @nobody', [])
  await written('@Al', ['al'])
  await written('@Al and so on', ['al'])
  await written('Al', [])
})

test('whoever may see one collection only is told nothing that they may not see', async () => {
  await past.when(subscribe(), { by: only('c') }).then(emitSubscription('s', 'ThreadSubscribed', { rootId: 'a' }))
  await past.when(subscribe(), { by: only('d') }).refused('Forbidden', 403)
})

test('who has a say in very many threads has one in another, which takes the place of the one of longest ago', async () => {
  const { max } = LIMITS.threadSubscriptions
  const all = Array.from({ length: max }, (_, i) => emitSubscription(`s${i}`, 'ThreadSubscribed', { rootId: `a${i}` }))
  const said = given(...things, by(ada, ...all), by(bob, emitSubscription('own', 'ThreadSubscribed', { rootId: 'x' })))
  await said.when(subscribe()).then(emitSubscription('s0', 'ThreadSubscribed', { rootId: 'a' }))
  await said.when(unsubscribe()).then(emitSubscription('s0', 'ThreadUnsubscribed', { rootId: 'a' }))
})

test.run()
