import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import type { Ledger } from '../../src/ledger/ledger.js'
import { Superseded } from '../../src/ledger/release.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { following, followUntil } from '../../src/trust/backup/follow.js'
import { lastBackup } from '../../src/trust/backup/made.js'
import { filesOf, removeOld } from '../../src/trust/backup/sets.js'
import { verifyBackup } from '../../src/trust/backup/verify.js'
import { suite } from '../support/suite.js'
import { NOW, newPlace, type Place, refusal, restored } from './place.js'

const test = suite('backups that follow a hub')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
let place: Place
let directory: string
let now: number
let said: string[]
test.before.each(async () => {
  now = NOW
  said = []
  place = await newPlace(() => now)
  directory = place.path('backups')
})

function follow(ledger: Pick<Ledger, 'storage' | 'run'> = place.ledger, keep_ms = 7 * DAY_MS) {
  return following({
    ...{ ledger, keys: NO_KEYS, directory, keep_ms },
    now: () => now,
    say: (text) => said.push(text)
  })
}
const names = () =>
  readdirSync(directory)
    .filter((name) => name.startsWith('hub-'))
    .sort()

test('a full one, then what was written since, and nothing where nothing was', async () => {
  const round = await follow()
  assert.is(await round(), 'full')
  assert.is(await round(), 'nothing')
  await place.folder(3)
  assert.is(await round(), 'increment')
  now += HOUR_MS
  await place.folder(2)
  assert.is(await round(), 'increment')
  assert.equal(
    names(),
    [0, 1, 2].map((number) => `hub-20260131T120000Z.0000${number}.backup`)
  )
  const { storage } = place.ledger
  const { storage: copy, appendedErasures } = await restored(directory)
  assert.equal([await copy.readLog(0, 100), appendedErasures], [await storage.readLog(0, 100), 0])
  const second = await restored(`${directory}/${names()[1]}`)
  assert.equal((await second.storage.head()).position, (await storage.head()).position - 2)
})

test('the hub knows when it was backed up last, up to which position and where', async () => {
  const { storage } = place.ledger
  assert.is(await lastBackup(storage.state), null)
  const round = await follow()
  for (const changes of [1, 1, 0]) {
    now += HOUR_MS
    if (changes > 0) await place.folder(changes)
    await round()
    const last = await lastBackup(storage.state)
    const { position } = await storage.head()
    assert.equal(last, { at: new Date(now).toISOString(), position, file: `${directory}/${names().at(-1)}` })
  }
})

test('who begins later continues the set, or begins another where it is damaged', async () => {
  await (await follow())()
  await place.folder()
  assert.is(await (await follow())(), 'increment')
  await place.folder()
  assert.is(await (await follow())(), 'increment')
  now += 60_000
  rmSync(`${directory}/${names()[1]}`)
  assert.match(
    await refusal(restored(directory)),
    /hub-20260131T120000Z\.00001\.backup is missing, and there is hub-20260131T120000Z\.00002\.backup behind it/
  )
  assert.is(await (await follow())(), 'full')
  assert.match(said.join('\n'), '00001.backup is missing')
  assert.is((await restored(directory)).position, (await place.ledger.storage.head()).position)
  rmSync(`${directory}/${names()[0]}`)
  assert.match(
    await refusal(restored(`${directory}/hub-20260131T120000Z.00002.backup`)),
    /00000\.backup is missing: the full backup that hub-20260131T120000Z\.00002\.backup continues/
  )
})

test('an increment by itself, and one behind another backup, are refused by name', async () => {
  const round = await follow()
  await round()
  await place.folder()
  await round()
  const [full = '', increment = ''] = await filesOf(directory)
  const verdict = (...files: readonly string[]) => refusal(verifyBackup(files, { keys: NO_KEYS }))
  assert.is(await verdict(full, increment), 'nothing')
  assert.match(await verdict(increment), /00001\.backup is an increment: it continues a backup that ends at position/)
  assert.match(await verdict(full, increment, increment), /00001\.backup continues a backup that ends at position/)
})

test('a new set begins each day, and old ones go once a newer one is as old as they are kept; other files stay', async () => {
  const round = await follow()
  await round()
  for (const name of ['notes.txt', 'hub-20250101T000000Z.backup', 'hub.backup'])
    writeFileSync(`${directory}/${name}`, '')
  for (let day = 1; day <= 9; day++) {
    now += DAY_MS - 1
    await place.folder()
    assert.is(await round(), 'increment')
    now += 1
    assert.is(await round(), 'full')
  }
  const fulls = names().filter((name) => name.endsWith('.00000.backup'))
  assert.is(fulls[0], 'hub-20260201T120000Z.00000.backup')
  assert.is(fulls.length, 9)
  assert.match(said.join('\n'), 'Removed hub-20260131T120000Z.00000.backup, with what continued it.')
  assert.ok(
    ['notes.txt', 'hub-20250101T000000Z.backup', 'hub.backup'].every((name) => readdirSync(directory).includes(name))
  )
  now += 1
  assert.is(await round(), 'nothing')
  const oldest = names().find((name) => name.endsWith('.00000.backup'))
  assert.is(oldest, 'hub-20260202T120000Z.00000.backup', 'also where nothing was written')
  await restored(directory)
  // The first of each is the oldest one that is left whole.
  await restored(`${directory}/hub-20260202T120000Z.00001.backup`)
  // What cannot be removed keeps what it continues.
  const [full, stuck] = ['00000', '00001'].map((number) => `${directory}/hub-20260101T000000Z.${number}.backup`)
  writeFileSync(full ?? '', '')
  mkdirSync(stuck ?? '')
  assert.match((await removeOld(directory, DAY_MS, now).catch((error: unknown) => String(error))).toString(), 'EISDIR')
  assert.ok(existsSync(full ?? ''))
})

test('a set that was begun while the clock was ahead is continued until the time has come', async () => {
  const round = await follow()
  now += DAY_MS
  assert.is(await round(), 'full')
  now -= DAY_MS
  await place.folder()
  assert.is(await round(), 'increment')
  await place.folder()
  assert.is(await (await follow())(), 'increment')
  now += 2 * DAY_MS
  await place.folder()
  assert.is(await round(), 'full')
})

test('a set that is kept shortly is continued for half that time', async () => {
  const round = await follow(place.ledger, 2 * HOUR_MS)
  await round()
  now += HOUR_MS - 1
  assert.is(await round(), 'nothing')
  now += 1
  assert.is(await round(), 'full')
})

test('a log that was restored to an earlier state gets a full one; another hub is refused', async () => {
  const round = await follow()
  await round()
  await place.folder(3)
  await round()
  const copy = await restored(directory, { position: 4 })
  now += 60_000
  const ledger = { storage: copy.storage, run: place.ledger.run }
  const again = await follow(ledger)
  assert.is(await again(), 'full')
  const other = await newPlace()
  assert.match(await refusal(follow(other.ledger)), 'holds the backups of another hub. Name another directory.')
})

test('another hub is refused also where the newest set is damaged, and the hub itself is not', async () => {
  const round = await follow()
  await round()
  now += 2 * DAY_MS
  await place.folder(3)
  await round()
  const other = await newPlace()
  const [, newest = ''] = names()
  const file = `${directory}/${newest}`
  const whole = readFileSync(file)
  for (const bytes of [whole.subarray(0, -20), Buffer.alloc(100)]) {
    writeFileSync(file, bytes)
    assert.match(await refusal(follow(other.ledger)), 'holds the backups of another hub. Name another directory.')
    assert.is(await refusal(follow()), 'nothing')
  }
})

test('an outage is said once, and the next time after it writes what came meanwhile', async () => {
  let isAway = false
  const storage: Storage = {
    ...place.ledger.storage,
    head: () => (isAway ? Promise.reject(new StorageUnavailable('The database is away.')) : place.ledger.storage.head())
  }
  const round = await follow({ storage, run: place.ledger.run })
  const stop = new AbortController()
  const told: string[] = []
  const results: string[] = []
  const steps: (() => unknown)[] = [
    () => {},
    () => {
      isAway = true
    },
    () => {},
    async () => {
      isAway = false
      await place.folder()
    },
    () => stop.abort()
  ]
  let times = 0
  await followUntil(
    (work) => {
      times++
      return work(async () => {
        await steps.shift()?.()
        const result = await round()
        results.push(result)
        return result
      })
    },
    1,
    stop.signal,
    (text) => told.push(text)
  )
  assert.equal(results, ['full', 'increment', 'nothing'])
  assert.equal(told, ['No backup: The database is away. It is tried again.', 'It works again.'])
  assert.is(times, 3, 'it is opened anew after each failure of the database')
})

test('another release on the database ends it', async () => {
  const head = { ...(await place.ledger.storage.head()), writtenUnder: '{"projections":{},"schema":99}' }
  const work = followUntil(
    (work) => work(() => Promise.reject(new Superseded(head))),
    1,
    new AbortController().signal,
    () => {}
  )
  assert.match(await refusal(work), 'This hub has stopped')
})

test.run()
