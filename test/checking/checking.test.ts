import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import type { FindingKind } from './finding.js'
import { historyText, parseHistory, SPENT, UNAUTHORIZED } from './history.js'
import { type LogEntry, logText, parseLog } from './log.js'
import { logOf } from './made.js'
import { type Recorder, recorder } from './recorder.js'
import { check } from './verdict.js'

const test = suite('the checker of histories')

type Story = (told: Recorder) => void

/** What is found in what a story tells of a log, by kind. */
function foundIn(log: readonly LogEntry[], story: Story): readonly FindingKind[] {
  let time = 0
  const told = recorder(() => time++)
  story(told)
  const verdict = check(parseHistory(historyText(told.history)), parseLog(logText(log)))
  return verdict.findings.map(({ kind }) => kind)
}

const write = (told: Recorder, change: string, position: number, process = 1) => {
  const [id = '', content = ''] = change.split('=')
  told.invoke(process, 'write', { id, content }).ok({ position })
}
const read = (told: Recorder, change: string, process = 2) => {
  const [id = '', content = ''] = change.split('=')
  told.invoke(process, 'read', { id }).ok({ content: content === '' ? null : content })
}

test('a history is good in which every answer is of one moment between its question and itself', () => {
  const found = foundIn(logOf('a=1', 'b=2', 'a=3', 'a=4'), (told) => {
    write(told, 'a=1', 1)
    const slow = told.invoke(3, 'read', { id: 'a' })
    const list = told.invoke(4, 'list', { kind: 'note' })
    write(told, 'b=2', 2)
    const writing = told.invoke(1, 'write', { id: 'a', content: '3' })
    read(told, 'a=3')
    writing.ok({ position: 3 })
    slow.ok({ content: '1' })
    list.ok({ contents: { a: '1', b: '2' } })
    told.invoke(2, 'head', {}).ok({ position: 3 })
    told.invoke(1, 'write', { id: 'a', content: '4' }).info('no answer')
    read(told, 'a=4')
    told.invoke(5, 'write', { id: 'c', content: '5' }).fail('refused')
    told.fault('the hub is killed')
    told.invoke(6, 'feed', { connection: 'f', after: 1 }).ok({ positions: [2, 3], through: 3 })
    told.invoke(6, 'feed', { connection: 'f', after: 3 }).ok({ positions: [4], through: 4 })
    for (const position of [1, 2, 1, 3])
      told
        .invoke(7, 'feed', { connection: 'w', after: 0, mayRepeat: true })
        .ok({ positions: [position], through: position })
  })
  assert.equal(found, [])
})

const WRONG: readonly (readonly [what: string, kind: FindingKind, log: readonly LogEntry[], story: Story])[] = [
  ['an acknowledged write is not in the log', 'lost', logOf('a=1'), (told) => write(told, 'b=2', 2)],
  [
    'a write is in the log twice',
    'twice',
    logOf('a=1', 'a=1'),
    (told) => told.invoke(1, 'write', { id: 'a', content: '1' }).info('no answer')
  ],
  [
    'a refused write is in the log',
    'twice',
    logOf('a=1'),
    (told) => told.invoke(1, 'write', { id: 'a', content: '1' }).fail('refused')
  ],
  [
    'the log has two writes in another order than that of time',
    'disorder',
    logOf('a=1', 'b=2'),
    (told) => {
      write(told, 'b=2', 2)
      write(told, 'a=1', 1)
    }
  ],
  [
    'a read is older than what was acknowledged',
    'stale',
    logOf('a=1', 'a=2'),
    (told) => {
      write(told, 'a=1', 1)
      write(told, 'a=2', 2)
      read(told, 'a=1')
    }
  ],
  [
    'a read is older than what another has shown',
    'stale',
    logOf('a=1', 'a=2'),
    (told) => {
      write(told, 'a=1', 1)
      told.invoke(1, 'write', { id: 'a', content: '2' }).info('no answer')
      read(told, 'a=2', 2)
      read(told, 'a=1', 3)
    }
  ],
  ['a read shows what never was', 'stale', logOf('a=1'), (told) => read(told, 'a=9')],
  [
    'a read shows what is written only later',
    'stale',
    logOf('a=1'),
    (told) => {
      read(told, 'a=1')
      write(told, 'a=1', 1)
    }
  ],
  [
    'a list mixes the states of two moments',
    'stale',
    logOf('a=1', 'b=1', 'a=2', 'b=2'),
    (told) => told.invoke(1, 'list', { kind: 'note' }).ok({ contents: { a: '1', b: '2' } })
  ],
  [
    'the end of the log goes back',
    'stale',
    logOf('a=1', 'a=2'),
    (told) => {
      told.invoke(1, 'head', {}).ok({ position: 2 })
      told.invoke(2, 'head', {}).ok({ position: 1 })
    }
  ],
  [
    'a feed skips an event',
    'gap',
    logOf('a=1', 'a=2', 'a=3'),
    (told) => told.invoke(1, 'feed', { connection: 'f', after: 0 }).ok({ positions: [1, 3], through: 3 })
  ],
  [
    'a feed repeats an event',
    'repeat',
    logOf('a=1', 'a=2'),
    (told) => {
      told.invoke(1, 'feed', { connection: 'f', after: 0 }).ok({ positions: [1, 2], through: 2 })
      told.invoke(1, 'feed', { connection: 'f', after: 2 }).ok({ positions: [2], through: 2 })
    }
  ],
  [
    'a feed tells of an event that is not in the log',
    'lost',
    logOf('a=1'),
    (told) => told.invoke(1, 'feed', { connection: 'f', after: 0 }).ok({ positions: [1, 2], through: 2 })
  ],
  [
    'a token is let in after its revocation',
    'letIn',
    logOf(),
    (told) => {
      told.invoke(1, 'revoke', { token: 't' }).ok({})
      told.invoke(2, 'use', {}, { token: 't', hub: 'b' }).ok({})
    }
  ],
  [
    'a token is refused though nobody has revoked it',
    'keptOut',
    logOf(),
    (told) => {
      told.invoke(1, 'issue', { token: 't' }).ok({})
      told.invoke(2, 'use', {}, { token: 't' }).fail(UNAUTHORIZED, 401)
    }
  ],
  [
    'a budget gives more than it has',
    'overspent',
    logOf(),
    (told) => {
      const reserve = (id: string) => told.invoke(1, 'reserve', { budget: 'b', limit: 10, id, tokens: 6 }).ok({})
      for (const id of ['one', 'two', 'three']) reserve(id)
    }
  ],
  [
    'a secret is used twice',
    'overspent',
    logOf(),
    (told) => {
      told.invoke(1, 'redeem', { secret: 's' }).ok({})
      told.invoke(2, 'redeem', { secret: 's' }).ok({})
    }
  ],
  ['an event is missing in the middle of the log', 'broken', logOf('a=1', 'b=2', 'c=3').toSpliced(1, 1), () => {}],
  [
    'two batches were decided on one head',
    'broken',
    logOf('a=1', 'a=2').map((entry) => ({ ...entry, version: 1 })),
    () => {}
  ],
  ['an answer is 500', 'failure', logOf(), (told) => told.invoke(1, 'head', {}).info('Internal error', 500)]
]

for (const [what, kind, log, story] of WRONG) {
  test(`it is found that ${what}`, () => assert.ok(foundIn(log, story).includes(kind), foundIn(log, story).join()))
}

test('budgets and secrets are right where some order explains every outcome', () => {
  const found = foundIn(logOf(), (told) => {
    const reserve = (process: number, id: string) =>
      told.invoke(process, 'reserve', { budget: 'b', limit: 10, id, tokens: 6 })
    const [first, second] = [reserve(1, 'one'), reserve(2, 'two')]
    reserve(3, 'three').fail(SPENT)
    first.ok({})
    second.ok({})
    told.invoke(1, 'settle', { budget: 'b', id: 'one', used: 1 }).ok({})
    told.invoke(4, 'reserve', { budget: 'b', limit: 10, id: 'four', tokens: 99 }).info('no answer')
    reserve(1, 'five').fail(SPENT)
    const [lost, mine] = [told.invoke(5, 'redeem', { secret: 's' }), told.invoke(6, 'redeem', { secret: 's' })]
    lost.info('no answer')
    mine.fail(SPENT)
  })
  assert.equal(found, [])
})

test('a process that does two things at once is no history', () => {
  let time = 0
  const told = recorder(() => time++)
  told.invoke(1, 'head', {})
  told.invoke(1, 'head', {})
  assert.throws(() => check(told.history, []), /is not done/)
})

test.run()
