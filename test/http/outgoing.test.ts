import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { type Outgoing, outgoingBudget } from '../../src/net/outgoing.js'
import { suite } from '../support/suite.js'

const test = suite('what waits to be sent')
const bound = (max: number) => ({ max, unit: 'bytes', what: 'a test' }) as const
const limits = { waiting: bound(1000), waitingOfOne: bound(400), waitingSmall: bound(10) }

/** Replies that are never sent, on connections of their own. */
async function withReplies(
  count: number,
  work: (budget: Outgoing, replies: readonly ServerResponse[], clients: readonly Socket[]) => unknown
): Promise<void> {
  const replies: ServerResponse[] = []
  const server = createServer((_, response) => void replies.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clients = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  try {
    for (const client of clients) client.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n')
    while (replies.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    await work(outgoingBudget(limits), replies, clients)
  } finally {
    for (const client of clients) client.destroy()
    server.close()
  }
}

test('there is room on a connection up to its bound, but for a single larger answer', () =>
  withReplies(1, (budget, [one]) => {
    assert.ok(one)
    assert.is(budget.hasRoom(one, 900), true)
    assert.is(budget.hasRoom(one, 1001), false)
    const sent = budget.add(one, 300)
    assert.is(budget.hasRoom(one, 100), true)
    assert.is(budget.hasRoom(one, 101), false)
    sent()
    sent()
    assert.is(budget.waiting, 0)
    assert.is(budget.hasRoom(one, 900), true)
  }))

test('there is room in all up to a bound, and for what is small always', () =>
  withReplies(2, (budget, [one, other]) => {
    assert.ok(one && other)
    budget.add(one, 900)
    assert.is(budget.hasRoom(other, 100), true)
    assert.is(budget.hasRoom(other, 101), false)
    budget.add(other, 5)
    assert.is(budget.hasRoom(other, 5), true)
    assert.is(budget.waiting, 905)
  }))

test('several answers to one account have half of it, on whatever connections, until they are sent or these are closed', () =>
  withReplies(3, async (budget, [one, other, third], clients) => {
    assert.ok(one && other && third)
    assert.is(budget.hasRoom(one, 900, 'ada'), true)
    const sent = budget.add(one, 300, 'ada')
    budget.add(other, 200, 'ada')
    assert.is(budget.hasRoom(third, 11, 'ada'), false)
    assert.is(budget.hasRoom(third, 10, 'ada'), true)
    assert.is(budget.hasRoom(third, 500, 'bob'), true)
    sent()
    assert.is(budget.hasRoom(third, 300, 'ada'), true)
    clients[1]?.destroy()
    while (budget.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.is(budget.hasRoom(third, 900, 'ada'), true)
  }))

test('a connection that is closed holds nothing any more', () =>
  withReplies(2, async (budget, [one, other], clients) => {
    assert.ok(one && other)
    const sent = budget.add(one, 300)
    budget.add(other, 200)
    for (const client of clients) client.destroy()
    while (budget.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    sent()
    assert.is(budget.waiting, 0)
    budget.add(one, 100)
    assert.is(budget.waiting, 0)
  }))

test.run()
