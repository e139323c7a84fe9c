import * as assert from 'uvu/assert'
import type { Head } from '../../src/log/event.js'
import { Proof, THRIFTY } from '../../src/log/proof.js'
import { type Absence, LEAVE_MS, type Testimony, TRUST_MS, type WitnessStore } from '../../src/log/witness.js'
import type { Commit } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { settled } from './faults.js'

const test = suite('proof of a head')

const bare: Head = { position: 7, chain: 'c', at: '', generation: 1 }
const named: Head = { ...bare, witness: 'one' }
let time: number
let answer: Testimony | Absence | Error
let calls: string[]
let commits: Commit[]
let proof: Proof

const told = async <T>(call: string, value: T): Promise<T> => {
  calls.push(call)
  if (answer instanceof Error) throw answer
  return value
}
const store: WitnessStore = {
  begin: (position) => told(`begin ${position}`, 'two'),
  announce: (witness, position) => told(`announce ${witness} ${position}`, 'announced' as const),
  ask: async (witness) => {
    const said = answer
    return told(`ask ${witness}`, said instanceof Error ? 'elsewhere' : said)
  },
  extend: (witness, until) => told(`extend ${witness} ${until}`, undefined),
  end: (witness) => told(`end ${witness}`, 'gone' as const)
}

const commit = async (made: Commit) => {
  commits.push(made)
  return 'committed' as const
}

test.before.each(() => {
  ;[time, answer, calls, commits] = [1000, { highest: 7, time: 50 }, [], []]
  proof = new Proof(
    { commit },
    () => store,
    () => time
  )
})

/** Looks at the head for so long. */
const look = (head: Head, ms = 0) => {
  const begun = proof.look()
  time += ms
  proof.saw(head, begun)
}

test('nothing is proven without a witness, and nobody asked', async () => {
  assert.not(await proof.proves(bare))
  look(bare)
  assert.not(await proof.proves(bare))
  look({ ...bare, witness: 'leaving one' })
  assert.not(await proof.proves(bare))
  assert.equal(calls, [])
})

test('a witness that was told of nothing more proves the head', async () => {
  look(named)
  assert.ok(await proof.proves(named))
  answer = { highest: 6, time: 50 }
  assert.ok(await proof.proves(bare), 'whatever witness the known head names')
  answer = { highest: 8, time: 50 }
  assert.not(await proof.proves(named))
})

test('no witness is believed longer than from the beginning of the last look that found it', async () => {
  look(named, 500)
  time = 1000 + TRUST_MS - 1
  assert.ok(await proof.proves(named))
  time++
  assert.not(await proof.proves(named))
  assert.ok(LEAVE_MS - TRUST_MS >= TRUST_MS / 10)
})

test('an answer that comes when the time is over proves nothing', async () => {
  look(named)
  const proven = proof.proves(named)
  time += TRUST_MS
  assert.not(await proven)
})

test('a look that failed, and one that found another witness, end what was believed, also while it is asked', async () => {
  look(named)
  let proven = proof.proves(named)
  proof.forget()
  assert.not(await proven)
  assert.not(await proof.proves(named))
  look(named)
  proven = proof.proves(named)
  look({ ...bare, witness: 'another' })
  assert.not(await proven)
})

test('a store that does not answer, or is another one, proves nothing', async () => {
  look(named)
  answer = 'elsewhere'
  assert.not(await proof.proves(named))
  answer = new Error('away')
  assert.not(await proof.proves(named))
})

test('the witness lives on from the time that its store had before a look', async () => {
  look(named)
  await proof.proves(named)
  assert.not(proof.isDue)
  time += TRUST_MS / 2
  assert.ok(proof.isDue)
  const begun = proof.look()
  answer = { highest: 7, time: 2000 }
  await proof.proves(named)
  proof.saw(named, begun)
  assert.equal(calls, ['ask one', 'ask one', `extend one ${50 + TRUST_MS}`])
})

test('a log that is looked at often gets a witness, and one that is not gets none', async () => {
  for (let i = 0; i < 100; i++) look(bare, 100)
  assert.equal(calls, [])
  for (let i = 0; i < 30; i++) look(bare)
  await settled()
  assert.equal(calls, ['begin 7'])
  assert.equal(commits, [{ after: bare, events: [], ops: [], head: { ...bare, witness: 'two' } }])
})

test('where each look is paid for, a few are worth a witness, and it is looked at less often', async () => {
  const clock = () => time
  proof = new Proof({ commit }, () => store, clock, THRIFTY)
  for (let i = 0; i < 100; i++) look(bare, TRUST_MS / 2)
  assert.equal(calls, [])
  for (let i = 0; i < 5; i++) look(bare, TRUST_MS / 6)
  await settled()
  assert.is(calls[0], 'begin 7')
  look(named)
  time += TRUST_MS / 2
  assert.not(proof.isDue)
  time += TRUST_MS / 4
  assert.ok(proof.isDue)
})

test('in place of a witness that is gone there comes another, and not in place of one that is not known', async () => {
  for (const said of ['elsewhere', 'gone'] as const) {
    answer = said
    look(named)
    assert.not(await proof.proves(named))
    time += 5000
    for (let i = 0; i < 30; i++) look(named)
    await settled()
  }
  assert.equal(
    commits.map(({ after, head }) => [after.witness, head.witness]),
    [['one', 'two']]
  )
})

test('a witness that is for long ahead of the log is taken away', async () => {
  answer = { highest: 9, time: 50 }
  const ends = () => calls.filter((call) => call.startsWith('end'))
  for (const ended of [[], ['end one']]) {
    look(named)
    await proof.proves(named)
    look(named)
    assert.equal(ends(), ended)
    time += 1500
  }
})

test.run()
