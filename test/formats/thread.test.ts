import { existsSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { HubError } from '../../src/errors.js'
import { threadHeap } from '../../src/lib/heap.js'
import { inThread } from '../../src/records/formats/thread.js'
import { readInThread } from '../../src/records/import/thread.js'
import { suite } from '../support/suite.js'

const test = suite('the threads of files')

const MB = 1024 * 1024
const bounds = { importTime: { max: 600 }, importClock: { max: 60_000 }, importMemory: { max: 64 * MB } }

/** A module of a thread that says which one it is, as those of files do, and then does this. */
const thread = (work: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { readlinkSync } from 'node:fs'
      import { parentPort, resourceLimits } from 'node:worker_threads'
      parentPort.postMessage({ begun: Number(readlinkSync('/proc/thread-self').split('/').at(-1)) })
      ${work}`)}`
  )
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'It was done.',
    (error: unknown) => (error instanceof HubError ? error.status : error)
  )

if (existsSync('/proc/thread-self')) {
  test('the time of a file is what it has of a processor, not what it waits', async () => {
    const waits = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000); parentPort.postMessage({ done: 1, heap_bytes: 0 })`
    assert.is(await inThread(thread(waits), {}, bounds), 1)
    assert.is(await refusalOf(inThread(thread('for (;;);'), {}, bounds)), 413)
  })
}

test('a file that takes longer than it may by the clock is for another time', async () => {
  const waits = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
  assert.is(await refusalOf(inThread(thread(waits), {}, { ...bounds, importClock: { max: 1 } })), 503)
})

test('a thread that takes more memory than it may is ended, and nothing else is', async () => {
  const takes = 'const all = []; for (;;) all.push({ all: [] })'
  assert.is(await refusalOf(inThread(thread(takes), {}, { ...bounds, importTime: { max: 60_000 } })), 413)
})

/** A module of a thread that counts its tasks; each says what its heap holds. */
const counting = (heap: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads'
      let tasks = 0
      parentPort.on('message', () => {
        parentPort.postMessage({ begun: null })
        parentPort.postMessage({ done: ++tasks, heap_bytes: ${heap} })
      })`)}`
  )

test('a thread that has answered takes the next task, and what comes beside it has one of its own', async () => {
  const module = counting('1')
  assert.is(await inThread(module, {}), 1)
  assert.equal(await Promise.all([inThread(module, {}), inThread(module, {})]), [2, 1])
  assert.ok([2, 3].includes(Number(await inThread(module, {}))))
})

test('a thread that has refused takes the next task; one that holds much, or that was ended, does not', async () => {
  const full = counting('65 * 1024 * 1024')
  assert.equal([await inThread(full, {}), await inThread(full, {})], [1, 1])
  const nonsense = new Uint8Array([0, 1, 2])
  assert.is(await refusalOf(readInThread(nonsense)), 400)
  assert.is(await refusalOf(readInThread(nonsense)), 400)
  const dies = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', () => process.exit(0))`)}`
  )
  for (let i = 0; i < 2; i++) assert.instance(await refusalOf(inThread(dies, {})), Error)
})

test('what a kept thread did for other files is none of the time of the next, also while that waits for it', async () => {
  const module = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads'
      const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); }
      let tasks = 0
      parentPort.on('message', () => {
        if (tasks > 0) busy(50)
        parentPort.postMessage({ begun: null })
        if (tasks === 0) busy(400)
        parentPort.postMessage({ done: ++tasks, heap_bytes: 1 })
      })`)}`
  )
  assert.is(await inThread(module, {}), 1)
  assert.is(await inThread(module, {}, { ...bounds, importTime: { max: 300 } }), 2)
})

test('threads may have less where the process has less, and all of them together less than it', () => {
  const gb = 1024 * MB
  const of = (...[kind, most]: Parameters<typeof threadHeap>) => threadHeap(kind, most, gb).maxOldGenerationSizeMb
  assert.ok(2 * of('file') + of('verification') + of('rebuild') <= 0.75 * 1024)
  assert.is(threadHeap('file', 512 * MB, 64 * gb).maxOldGenerationSizeMb, 512)
})

test.run()
