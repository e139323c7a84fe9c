import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { CommandOrigin, Ledger } from '../../src/ledger/ledger.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import type { Suite } from '../support/suite.js'
import type { Network } from './network.js'
import { newCollections } from './world.js'

/** A log behind a network that can be cut, and who writes to it. */
interface Behind {
  readonly network: Network
  readonly ledger: Ledger
  readonly ada: CommandOrigin
}

/** What nothing takes unless it waits for what never comes: on a busy machine, three seconds may be longer. */
export const LIMIT_MS = 12_000

/** Rejects as unavailable, and does not take long. */
export async function assertUnavailable(call: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  assert.instance(await rejection(call()), StorageUnavailable)
  const took_ms = performance.now() - started
  assert.ok(took_ms < LIMIT_MS, `it took ${took_ms} ms`)
}

export const newCollection = ({ ledger, ada }: Behind) =>
  ledger.run({ type: 'CreateCollection', id: randomUUID(), name: 'c' }, ada)

export const positionOf = async ({ ledger }: Behind) => (await ledger.storage.head()).position

/** Tests of what becomes of commands whose connection ends while they commit, each so many times over. */
export function lostAnswerTests(test: Suite, behind: () => Behind, rounds: number): void {
  test('a commit whose answer is lost with the connection happens once, and its caller gets success', async () => {
    const { network } = behind()
    for (let round = 0; round < rounds; round++) {
      const before = await positionOf(behind())
      network.cutAt('before its answer reaches the client')
      assert.is((await newCollection(behind())).position, before + 1)
      assert.is(network.cutsLeft, 0)
      assert.is(await positionOf(behind()), before + 1)
    }
  })

  test('a commit that is cut off on its way happens once too', async () => {
    const { network } = behind()
    for (let round = 0; round < rounds; round++) {
      const before = await positionOf(behind())
      network.cutAt('before it reaches the server')
      assert.is((await newCollection(behind())).position, before + 1)
      assert.is(network.cutsLeft, 0)
    }
  })

  test('many commands over a connection that breaks again and again all happen once', async () => {
    const { network, ledger, ada } = behind()
    const before = await positionOf(behind())
    for (let i = 0; i <= rounds; i++)
      network.cutAt('before its answer reaches the client', 'before it reaches the server')
    const commands = newCollections(rounds * 12)
    await Promise.all(
      commands.map(async (command, i) => {
        for (let turn = 0; turn < i; turn++) await new Promise((resolve) => setImmediate(resolve))
        await ledger.run(command, ada)
      })
    )
    assert.is(await positionOf(behind()), before + commands.length)
    while (network.cutsLeft > 0) await newCollection(behind())
  })
}
