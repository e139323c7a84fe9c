import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Command } from '../../commands/index.js'
import { openReadyLedger } from '../../src/app/hub.js'
import type { HubConfig } from '../../src/config/types.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { type Reply, records } from '../http/client.js'
import { collectionContent } from '../http/content.js'
import type { Driver } from '../http/drivers.js'
import { assertNoCrash } from '../http/hub-suite.js'
import { configOf, startBeside, startHub, type TestHub } from '../http/support.js'
import { everything, World } from '../http/world.js'
import type { Suite } from '../support/suite.js'

export type Send = TestHub['send']

/** After so many rounds a command line writes that reaches no Redis, and whoever reads goes on meanwhile. */
const WITHOUT_STORE = 500
/** After so many rounds it is told how far they are. */
const TOLD = 100
/** What a round may take on a busy machine; on a quiet one it takes 30 ms. */
const ROUND_MAX_MS = 200

/**
 * Two hubs and command lines on one database and one Redis: while all of them write, nothing that is read is older than what was
 * answered when it was asked for, on either hub.
 */
export function currencyRaces(test: Suite, driver: Driver, rounds: number): void {
  const race = () => raceOf(driver, rounds, (send) => send)
  const options = { timeout_ms: 20_000 + ROUND_MAX_MS * rounds }
  test(`in ${rounds} rounds of revocations and edits by several processes nothing stale is read`, race, options)
}

/** One race on a new database. `sending` is what becomes of the sending to each hub. */
export async function raceOf(driver: Driver, rounds: number, sending: (send: Send) => Send): Promise<void> {
  const hub = await startHub(driver)
  const beside = await startBeside(hub)
  const config = configOf(hub.place)
  const line = await openReadyLedger(config)
  try {
    const sends = [sending(hub.send), sending(beside.send)] as const
    const world = await World.of({ ...hub, send: sends[0] })
    await raced({ world, sends, line, config, rounds })
    assertNoCrash(hub)
    assertNoCrash(beside)
  } finally {
    await line.close()
    await beside.close()
    await hub.close()
  }
}

interface Race {
  readonly world: World
  readonly sends: readonly Send[]
  readonly line: Ledger
  readonly config: HubConfig
  readonly rounds: number
}

async function raced({ world, sends, line, config, rounds }: Race): Promise<void> {
  const { admin, owner } = world
  const collectionId = await world.collection('0')
  /** The number that a collection's name was given last, as far as anybody was answered. */
  let answered = 0
  let [isOver, reads] = [false, 0]
  const pick = <T>(things: readonly T[], round: number): T => {
    const picked = things[round % things.length]
    if (picked === undefined) throw new Error('There is nothing to pick from.')
    return picked
  }
  const numberIn = (reply: Reply): number => {
    const name = records(reply, 'collections').find(({ id }) => id === collectionId)?.name
    return Number(name)
  }
  const reading = async (send: Send): Promise<void> => {
    while (!isOver) {
      const least = answered
      const found = numberIn(await send({ method: 'GET', path: '/collections', token: owner.token }))
      assert.ok(found >= least, `${found} was read where ${least} was answered before`)
      reads++
      await sleep(reads % 3)
    }
  }
  const readers = sends.flatMap((send) => [reading(send), reading(send)])
  const trouble = Promise.all(readers)
  trouble.catch(() => {
    isOver = true
  })
  const elsewhere = (command: Command) => line.run(command, systemOrigin)
  const rename = async (number: number, send: Send): Promise<void> => {
    const path = `/collections/${collectionId}`
    const reply = await send({
      method: 'PUT',
      path,
      token: owner.token,
      body: { ...collectionContent, name: String(number) }
    })
    assert.is(reply.status, 200)
    answered = number
  }
  for (let round = 1; round <= rounds && !isOver; round++) {
    const [writer, other] = [pick(sends, round), pick(sends, Math.floor(round / 2))]
    await rename(round, writer)
    const { token, tokenId, id } = await world.user(everything)
    const status = async (send: Send) => (await send({ method: 'GET', path: '/auth/session', token })).status
    assert.equal(await Promise.all(sends.map(status)), [200, 200], `round ${round}`)
    const revocations: readonly (() => Promise<unknown>)[] = [
      () => elsewhere({ type: 'RevokeToken', id: tokenId }),
      () => other({ method: 'DELETE', path: `/admin/tokens/${tokenId}`, token: admin.token }),
      () => other({ method: 'DELETE', path: `/admin/users/${id}`, token: admin.token })
    ]
    if (round % WITHOUT_STORE === 3) await withoutStore(config, { type: 'RevokeToken', id: tokenId })
    else await pick(revocations, round)()
    assert.equal(await Promise.all(sends.map(status)), [401, 401], `round ${round}`)
    if (round % TOLD === 0) process.stdout.write(`  ${round} rounds, ${reads} reads\n`)
  }
  isOver = true
  await trouble
  assert.ok(reads > rounds, `${reads} reads in ${rounds} rounds`)
}

/** Runs a command as a command line does that reaches no store. */
async function withoutStore(config: HubConfig, command: Command): Promise<void> {
  const { maxFailures, windowSeconds, blockSeconds, maxFailuresPerAddress } = config.redis
  const redis = { driver: 'memory', maxFailures, windowSeconds, blockSeconds, maxFailuresPerAddress } as const
  const ledger = await openReadyLedger({ ...config, redis })
  try {
    await ledger.run(command, systemOrigin)
  } finally {
    await ledger.close()
  }
}
