import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { placesOf } from '../../src/storage/sql/places.js'
import { WrongServer } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { heldNow } from '../support/memory.js'
import { suite } from '../support/suite.js'

const test = suite('the places of a database')

const ALL = ['one', 'other'].map((host) => ({ host, port: 1 }))

/** Places of which a test says which let nobody in, and which give no sign of life. */
function server() {
  const state = { closed: new Set<string>(), standby: new Set<string>(), silent: new Set<string>() }
  const sockets = new Map<string, Socket[]>()
  const places = placesOf<string, null>(ALL, {
    async enter({ host }, socket) {
      sockets.set(host, [...(sockets.get(host) ?? []), socket()])
      if (state.closed.has(host)) throw new Error('closed')
      if (state.standby.has(host)) throw new WrongServer('standby')
      return host
    },
    async probe({ host }, socket) {
      const own = socket()
      if (state.silent.has(host)) await new Promise((_, reject) => own.once('close', () => reject(new Error('silent'))))
      own.destroy()
    },
    isRefusal: () => false
  })
  const ended = (host: string) => sockets.get(host)?.map(({ destroyed }) => destroyed)
  return { ...places, state, ended }
}

test('the one that let somebody in last is asked first, though another is back', async () => {
  const { connect, state, ended } = server()
  state.closed.add('one')
  assert.is(await connect(null), 'other')
  state.closed.clear()
  assert.is(await connect(null), 'other')
  assert.equal([ended('one'), ended('other')], [[true], [false, false]])
})

test('where none lets anybody in all reasons are told', async () => {
  const { connect, state } = server()
  for (const { host } of ALL) state.closed.add(host)
  const error = await rejection(connect(null))
  assert.instance(error, AggregateError)
  assert.equal(error instanceof AggregateError && [error.message, ...error.errors.map(({ message }) => message)], [
    'one:1: closed, other:1: closed',
    'one:1: closed',
    'other:1: closed'
  ])
})

test('a server that must not be used is what is wrong only where no other is away', async () => {
  const { connect, state } = server()
  state.standby.add('other')
  state.closed.add('one')
  assert.instance(await rejection(connect(null)), AggregateError)
  state.closed.clear()
  state.standby.add('one')
  assert.instance(await rejection(connect(null)), WrongServer)
})

test('one that gives no sign of life loses its turn and its connections, and the others keep theirs', async () => {
  const { connect, signOfLife, state, ended } = server()
  assert.is(await connect(null), 'one')
  state.closed.add('one')
  assert.is(await connect(null), 'other')
  state.closed.clear()
  state.silent.add('other')
  const alive = signOfLife(new AbortController().signal)
  // Its turn ends, also where memory is tidied up meanwhile.
  for (let i = 0; i < 5; i++) {
    await sleep(20)
    heldNow()
  }
  await alive
  assert.equal([ended('one'), ended('other')], [[false, true], [true]])
  assert.is(await connect(null), 'one')
})

test.run()
