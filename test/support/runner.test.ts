import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { temporaryDirectory } from './databases.js'
import { runTests } from './runner.js'
import { suite } from './suite.js'

const test = suite('runner')
const imports = `
import { suite } from '${new URL('suite.js', import.meta.url)}'
import * as assert from 'uvu/assert'
`.replace("'uvu/assert'", `'${import.meta.resolve('uvu/assert')}'`)

interface Run {
  readonly well: boolean
  readonly output: string
  readonly lastLine: string
}

interface Options {
  readonly filters?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly silence_ms?: number
  readonly stale?: readonly string[]
  readonly signal?: AbortSignal
}

/** Runs test files, given as name and body, as the runner runs compiled ones. */
async function run(files: Readonly<Record<string, string>>, options: Options = {}): Promise<Run> {
  const {
    filters = [],
    environment = {},
    silence_ms = 20_000,
    stale = [],
    signal = new AbortController().signal
  } = options
  const directory = await temporaryDirectory()
  const [compiled, sources] = [join(directory.path, 'compiled'), join(directory.path, 'sources')]
  let output = ''
  try {
    await Promise.all([mkdir(compiled), mkdir(sources)])
    await writeFile(join(compiled, 'package.json'), '{"type":"module"}')
    for (const [name, body] of Object.entries(files)) {
      await writeFile(join(compiled, `${name}.test.js`), imports + body)
      if (!stale.includes(name)) await writeFile(join(sources, `${name}.test.ts`), '')
    }
    const { CI: _, ...inherited } = process.env
    const well = await runTests({
      compiled,
      sources,
      filters,
      jobs: 2,
      silence_ms,
      environment: { ...inherited, ...environment },
      signal,
      write: (text) => {
        output += text
      }
    })
    return { well, output, lastLine: output.trimEnd().split('\n').at(-1) ?? '' }
  } finally {
    await directory.remove()
  }
}

function lines(...body: readonly string[]): string {
  return ["const test = suite('fixture')", ...body, 'test.run()'].join('\n')
}

test('passing tests of several files are added up', async () => {
  const { well, lastLine } = await run({
    one: lines("test('a', () => {})", "test('b', async () => {})"),
    two: lines("test('c', () => {})")
  })
  assert.is(lastLine, '3 passed, 0 failed, 0 skipped')
  assert.is(well, true)
})

test('a failing test is counted, and its file is shown in full', async () => {
  const { well, output, lastLine } = await run({
    bad: lines("test('adds up', () => assert.is(1 + 1, 3))", "test('a', () => {})", "console.log('a trace')")
  })
  assert.is(lastLine, '1 passed, 1 failed, 0 skipped')
  assert.is(well, false)
  for (const part of ['FAIL', 'bad.test.ts', '"adds up"', 'a trace']) assert.match(output, part)
})

test('a test that never ends fails with its name, and the others still run', async () => {
  const { output, lastLine } = await run({
    hangs: lines("test('waits', () => new Promise(() => {}), { timeout_ms: 50 })", "test('a', () => {})")
  })
  assert.is(lastLine, '1 passed, 1 failed, 0 skipped')
  assert.match(output, '"waits"')
  assert.match(output, 'The test did not end, nor print anything, within 50 ms')
})

test('a test goes on for longer than its limit as long as it prints, and so does its file', async () => {
  const print = 'for (let i = 0; i < 40; i++) { await new Promise((done) => setTimeout(done, 50)); console.log(i) }'
  const { output, lastLine } = await run(
    { long: lines(`test('prints', async () => { ${print} }, { timeout_ms: 1000 })`) },
    { silence_ms: 1500 }
  )
  assert.is(lastLine, '1 passed, 0 failed, 0 skipped', output)
})

test('a test that prints without end is ended all the same', async () => {
  const print = "for (;;) { await new Promise((done) => setTimeout(done, 5)); console.log('on') }"
  const { output, lastLine } = await run({
    endless: lines(`test('prints', async () => { ${print} }, { timeout_ms: 50 })`, 'test.after(() => process.exit())')
  })
  assert.is(lastLine, '0 passed, 1 failed, 0 skipped', output)
})

test('a test that blocks the process is ended with its file, and named', async () => {
  const { output, lastLine } = await run(
    { blocks: lines("test('a', () => {})", "test('spins', () => { for (;;); })", "test('b', () => {})") },
    { silence_ms: 3000 }
  )
  assert.is(lastLine, '1 passed, 2 failed, 0 skipped')
  assert.match(output, 'did not run to its end: fixture: spins')
  assert.match(output, 'blocks.test.ts showed no progress within 3000 ms')
})

test('a skipped test is counted and named with its reason', async () => {
  const { well, output, lastLine } = await run({
    skips: lines("test.skip('needs a moon', 'no moon tonight')", "test('a', () => {})")
  })
  assert.is(lastLine, '1 passed, 0 failed, 1 skipped')
  assert.is(well, true)
  assert.match(output, /skips\.test\.ts {2}fixture: needs a moon \(no moon tonight\)/)
})

test('a file that crashes in the middle fails for every test that did not run, and shows what failed before', async () => {
  const { output, lastLine } = await run({
    crash: lines(
      "test('a', () => {})",
      "test('first trouble', () => { throw new Error('trouble one') })",
      "test('crashes', async () => { process.nextTick(() => { throw new Error('boom') }); await new Promise(() => {}) })",
      "test('b', () => {})"
    )
  })
  assert.is(lastLine, '1 passed, 3 failed, 0 skipped')
  for (const part of ['trouble one', 'boom', 'did not run to its end: fixture: b', 'ended early with exit code 1']) {
    assert.match(output, part)
  }
})

test('a file that leaves the process in the middle fails, whatever its exit code', async () => {
  const { lastLine } = await run({ leaves: lines("test('a', () => process.exit(0))", "test('b', () => {})") })
  assert.is(lastLine, '0 passed, 2 failed, 0 skipped')
})

test('a file that fails to load, one without tests and one that crashes at its end are failures', async () => {
  for (const [body, reason] of [
    ["import './missing.js'", 'ended with exit code 1'],
    ['', 'ran no test at all'],
    [lines("test('a', () => {})", "process.on('exit', () => { process.exitCode = 7 })"), 'ended with exit code 7']
  ] as const) {
    const { well, output, lastLine } = await run({ odd: body })
    assert.match(lastLine, ' passed, 1 failed, 0 skipped')
    assert.match(output, `odd.test.ts ${reason}`)
    assert.is(well, false)
  }
})

test('a suite that is never run fails for each of its tests', async () => {
  const { lastLine } = await run({ forgotten: "const test = suite('x')\ntest('a', () => {})\ntest.skip('b', 'c')" })
  assert.is(lastLine, '0 passed, 2 failed, 0 skipped')
})

test('suites run one after another, also when a file waits between them', async () => {
  const { output, lastLine } = await run({
    waits: `
      const order = []
      for (const name of ['one', 'two', 'three']) {
        const test = suite(name)
        test('runs', async () => { await new Promise((done) => setTimeout(done, 20)); order.push(name) })
        test.run()
        await new Promise((done) => setTimeout(done, 5))
      }
      const last = suite('last')
      last('order', () => assert.equal(order, ['one', 'two', 'three']))
      last.run()`
  })
  assert.is(lastLine, '4 passed, 0 failed, 0 skipped', output)
})

test('hooks run around the tests, each of them in order', async () => {
  const { output, lastLine } = await run({
    hooks: lines(
      'const seen = []',
      "test.before(() => seen.push('before'))",
      "test.before.each(() => seen.push('+'))",
      "test.after.each(() => seen.push('-'))",
      "test('a', () => seen.push('a'))",
      "test('b', () => seen.push('b'))",
      "test.after(() => assert.is(seen.join(' '), 'before + a - + b -'))"
    )
  })
  assert.is(lastLine, '2 passed, 0 failed, 0 skipped', output)
})

test('a hook that fails fails the tests it serves, or is counted itself', async () => {
  const failing = "(() => { throw new Error('hook trouble') })"
  for (const [hook, expected] of [
    ['before', '0 passed, 2 failed, 0 skipped'],
    ['before.each', '0 passed, 2 failed, 0 skipped'],
    ['after.each', '0 passed, 2 failed, 0 skipped'],
    ['after', '2 passed, 1 failed, 0 skipped']
  ] as const) {
    const { output, lastLine } = await run({
      hook: lines(`test.${hook}${failing}`, "test('a', () => {})", "test('b', () => {})")
    })
    assert.is(lastLine, expected, output)
    assert.match(output, 'hook trouble')
  }
})

test('what is thrown need not be an error, and every test after it still runs', async () => {
  const { lastLine } = await run({
    throws: lines(
      "test('text', () => { throw 'text' })",
      "test('nothing', () => Promise.reject())",
      "test('big', async () => { (await import('node:assert')).deepStrictEqual({ a: 1n }, { a: 2n }) })",
      "test('a', () => {})"
    )
  })
  assert.is(lastLine, '1 passed, 3 failed, 0 skipped')
})

test('tests that need a service that is not there are skipped with the reason', async () => {
  const files = { needy: `const test = suite('needy', { needs: ['redis'] })\ntest('a', () => {})\ntest.run()` }
  const environment = { HUB_TEST_REDIS_URL: '', HUB_TEST_REDIS_MISSING: 'no redis on this planet' }
  const skipped = await run(files, { environment })
  assert.is(skipped.lastLine, '0 passed, 0 failed, 1 skipped')
  assert.match(skipped.output, 'no redis on this planet')
  const demanded = await run(files, { environment: { ...environment, CI: 'true' } })
  assert.is(demanded.lastLine, '0 passed, 1 failed, 0 skipped')
  assert.match(demanded.output, 'CI=true demands every service: no redis on this planet')
})

test('filters choose files by a part of their path, and output without a source is ignored', async () => {
  const body = lines("test('a', () => {})")
  const files = { apple: body, pear: body, old: body }
  assert.is((await run(files, { stale: ['old'] })).lastLine, '2 passed, 0 failed, 0 skipped')
  assert.is((await run(files, { filters: ['ppl'] })).lastLine, '1 passed, 0 failed, 0 skipped')
  const none = await run(files, { filters: ['plum'] })
  assert.is(none.well, false)
  assert.match(none.output, 'No test file matches plum')
})

test('an interrupted run ends its files and is no success', async () => {
  const started = performance.now()
  const { well } = await run(
    { slow: lines("test('a', () => new Promise(() => {}))") },
    { signal: AbortSignal.timeout(300) }
  )
  assert.is(well, false)
  assert.ok(performance.now() - started < 15_000)
})

test('a test file run by itself ends with the same line and exit code', async () => {
  const directory = await temporaryDirectory()
  try {
    const path = join(directory.path, 'alone.test.mjs')
    await writeFile(path, imports + lines("test('a', () => {})", "test('b', () => assert.ok(false))"))
    const { code, stdout } = await node(path)
    assert.is(code, 1)
    assert.is(stdout.trimEnd().split('\n').at(-1), '1 passed, 1 failed, 0 skipped')
  } finally {
    await directory.remove()
  }
})

test('the command exits with 1 and the plain totals when nothing ran', async () => {
  const { code, stdout } = await node(fileURLToPath(new URL('../run.js', import.meta.url)), 'no-such-file')
  assert.is(code, 1)
  assert.match(stdout, /\n0 passed, 0 failed, 0 skipped\n$/)
})

async function node(...args: readonly string[]): Promise<{ readonly code: unknown; readonly stdout: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return { code: 0, stdout }
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'stdout' in error)
      return { code: error.code, stdout: String(error.stdout) }
    throw error
  }
}

test.run()
