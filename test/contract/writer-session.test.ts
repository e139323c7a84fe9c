import * as assert from 'uvu/assert'
import type { Statement } from '../../src/storage/sql/dialect.js'
import { type Session, sqlWriter } from '../../src/storage/sql/session.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { gate, rejection, settled, stateOf } from '../log/faults.js'
import { suite } from '../support/suite.js'

const test = suite('the session that writes')

const asked = (text: string): readonly Statement[] => [{ text, values: [] }]
const fails = async () => {
  throw new Error('It cannot.')
}

/** A server on whose sessions transactions do what a test says. `sent` is what reached it, each with the number of its session. */
function server(transaction: (text: string) => Promise<void> = async () => {}, rollBack = async () => {}) {
  const sent: string[] = []
  const sessions: { isOpen: boolean }[] = []
  const open = async (): Promise<Session> => {
    const state = { isOpen: true }
    const number = sessions.push(state)
    const end = () => {
      state.isOpen = false
    }
    return {
      get isOpen() {
        return state.isOpen
      },
      query: async () => [],
      snapshot: async () => {},
      begin: async () => [],
      async end([statement]) {
        sent.push(`${number} ${statement?.text}`)
        return statement?.text === 'refused' ? 'refused' : 'done'
      },
      async transaction(statements) {
        for (const { text } of statements) {
          sent.push(`${number} ${text}`)
          await transaction(text)
        }
        return 'done'
      },
      async rollBack() {
        sent.push(`${number} rollback`)
        await rollBack()
      },
      close: async () => end(),
      destroy: end
    }
  }
  return { open, sent, sessions }
}

test('where what failed cannot be rolled back the next transaction has another session', async () => {
  const { open, sent, sessions } = server((text) => (text === 'bad' ? fails() : Promise.resolve()), fails)
  const writer = sqlWriter(open, (error) => error)
  await rejection(writer.transaction(asked('bad')))
  assert.is(await writer.transaction(asked('good')), 'done')
  assert.equal(sent, ['1 bad', '1 rollback', '2 good'])
  assert.equal(
    sessions.map(({ isOpen }) => isOpen),
    [false, true]
  )
})

test('what was begun with a lock is rolled back before anything else, where it comes to nothing', async () => {
  const { open, sent } = server()
  const writer = sqlWriter(open, (error) => error)
  const ending = (text: string) => ({ guard: { text: 'guard', values: [] }, statements: asked(text) })
  const during = <T>(ask: () => Promise<T>) => ask()
  assert.is(await writer.locked('lock', async () => null, during), 'done')
  assert.instance(await rejection(writer.locked('lock', fails, during)), Error)
  assert.is(await writer.locked('lock', async () => ending('refused'), during), 'refused')
  assert.is(await writer.locked('lock', async () => ending('done'), during), 'done')
  assert.equal(sent, ['1 rollback', '1 rollback', '1 refused', '1 rollback', '1 done'])
})

test('what waited when the session was given up is never sent, and what comes later is', async () => {
  const answer = gate()
  const { open, sent } = server((text) => (text === 'hangs' ? answer.passed : Promise.resolve()))
  const writer = sqlWriter(open, (error) => error)
  const before = [writer.transaction(asked('hangs')), writer.transaction(asked('waits'))]
  await settled()
  writer.forget()
  assert.is(await writer.transaction(asked('later')), 'done')
  answer.open()
  const [, waited] = await Promise.allSettled(before)
  assert.instance(waited?.status === 'rejected' && waited.reason, StorageUnavailable)
  assert.equal(sent, ['1 hangs', '2 later'])
})

test('a session that is opened behind that ends, and nothing is sent on it', async () => {
  const opening = gate()
  const { open, sent, sessions } = server()
  const writer = sqlWriter(
    async () => {
      await opening.passed
      return open()
    },
    (error) => error
  )
  const first = writer.transaction(asked('first'))
  await settled()
  writer.forget()
  opening.open()
  assert.instance(await rejection(first), StorageUnavailable)
  assert.equal([sent, sessions], [[], [{ isOpen: false }]])
})

test('it closes behind what is under way', async () => {
  const answer = gate()
  const { open, sent, sessions } = server(() => answer.passed)
  const writer = sqlWriter(open, (error) => error)
  const first = writer.transaction(asked('first'))
  await settled()
  const closed = writer.close()
  await settled()
  assert.equal([await stateOf(closed), sessions], ['pending', [{ isOpen: true }]])
  answer.open()
  assert.is(await first, 'done')
  await closed
  assert.equal([sent, sessions], [['1 first'], [{ isOpen: false }]])
})

test.run()
