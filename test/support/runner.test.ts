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
  readonly againAlone?: number
  readonly stale?: readonly string[]
  readonly signal?: AbortSignal
}

/** Runs test files, given as name and body, as the runner runs compiled ones. */
async function run(files: Readonly<Record<string, string>>, options: Options = {}): Promise<Run> {
  const {
    filters = [],
    environment = {},
    silence_ms = 20_000,
    againAlone = 0,
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
      againAlone,
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

/** Files, the last line of a run of them, and what else it prints. */
interface Case {
  readonly files: Readonly<Record<string, string>>
  readonly totals: string
  readonly prints?: readonly string[]
  readonly silence_ms?: number
}

const A = "test('a', () => {})"
const B = "test('b', () => {})"
const cases: Readonly<Record<string, Case>> = {
  'passing tests of several files are added up': {
    files: { one: lines(A, "test('b', async () => {})"), two: lines("test('c', () => {})") },
    totals: '3 passed, 0 failed, 0 skipped'
  },
  'a failing test is counted, and its file is shown in full': {
    files: { bad: lines("test('adds up', () => assert.is(1 + 1, 3))", A, "console.log('a trace')") },
    totals: '1 passed, 1 failed, 0 skipped',
    prints: ['FAIL', '"adds up"', 'a trace', '\nFailed:\n', 'bad.test.ts  fixture: adds up\n', 'Expected values to be']
  },
  'a test that never ends fails with its name, and the others still run': {
    files: { hangs: lines("test('waits', () => new Promise(() => {}), { timeout_ms: 50 })", A) },
    totals: '1 passed, 1 failed, 0 skipped',
    prints: ['"waits"', 'The test did not end, nor print anything, within 50 ms']
  },
  'a test goes on for longer than its limit as long as it prints, and so does its file': {
    files: {
      long: lines(`test('prints', async () => {
        for (let i = 0; i < 40; i++) { await new Promise((done) => setTimeout(done, 50)); console.log(i) }
      }, { timeout_ms: 1000 })`)
    },
    totals: '1 passed, 0 failed, 0 skipped',
    silence_ms: 1500
  },
  'a test that prints without end is ended all the same': {
    files: {
      endless: lines(
        `test('prints', async () => {
          for (;;) { await new Promise((done) => setTimeout(done, 5)); console.log('on') }
        }, { timeout_ms: 50 })`,
        'test.after(() => process.exit())'
      )
    },
    totals: '0 passed, 1 failed, 0 skipped'
  },
  'a test that blocks the process is ended with its file, and named': {
    // It ends by itself in a minute, where whoever runs it was ended before.
    files: {
      blocks: lines(A, "test('spins', () => { for (const end = Date.now() + 60_000; Date.now() < end; ); })", B)
    },
    totals: '1 passed, 2 failed, 0 skipped',
    prints: ['did not run to its end: fixture: spins', 'blocks.test.ts  showed no progress within 3000 ms'],
    silence_ms: 3000
  },
  'a skipped test is counted and named with its reason': {
    files: { skips: lines("test.skip('needs a moon', 'no moon tonight')", A) },
    totals: '1 passed, 0 failed, 1 skipped',
    prints: ['skips.test.ts  fixture: needs a moon (no moon tonight)']
  },
  'a file that crashes in the middle fails for every test that did not run, and shows what failed before': {
    files: {
      crash: lines(
        A,
        "test('first trouble', () => { throw new Error('trouble one') })",
        "test('crashes', async () => { process.nextTick(() => { throw new Error('boom') }); await new Promise(() => {}) })",
        B
      )
    },
    totals: '1 passed, 3 failed, 0 skipped',
    prints: ['trouble one', 'boom', 'did not run to its end: fixture: b', 'ended early with exit code 1']
  },
  'a file that leaves the process in the middle fails, whatever its exit code': {
    files: { leaves: lines("test('a', () => process.exit(0))", B) },
    totals: '0 passed, 2 failed, 0 skipped'
  },
  'a suite that is never run fails for each of its tests': {
    files: { forgotten: `const test = suite('x')\n${A}\ntest.skip('b', 'c')` },
    totals: '0 passed, 2 failed, 0 skipped'
  },
  'suites run one after another, also when a file waits between them': {
    files: {
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
    },
    totals: '4 passed, 0 failed, 0 skipped'
  },
  'hooks run around the tests, each of them in order, and what is asked for afterwards behind them, the last first': {
    files: {
      hooks: lines(
        `const { afterwards } = await import('${new URL('afterwards.js', import.meta.url)}')`,
        'const seen = []',
        "test.before(() => { seen.push('before'); afterwards(() => console.log(seen.join(' '))) })",
        "test.before.each(() => { seen.push('+'); afterwards(() => seen.push('second')) })",
        "test.after.each(() => seen.push('-'))",
        "test('a', () => { seen.push('a'); afterwards(() => seen.push('first')) })",
        "test('b', () => { seen.push('b'); throw new Error('trouble') })",
        "test.after(() => seen.push('after'))"
      )
    },
    totals: '1 passed, 1 failed, 0 skipped',
    prints: ['before + a - first second + b - second after']
  },
  'what is thrown need not be an error, and every test after it still runs': {
    files: {
      throws: lines(
        "test('text', () => { throw 'text' })",
        "test('nothing', () => Promise.reject())",
        "test('big', async () => { (await import('node:assert')).deepStrictEqual({ a: 1n }, { a: 2n }) })",
        A
      )
    },
    totals: '1 passed, 3 failed, 0 skipped'
  }
}

for (const [name, { files, totals, prints = [], silence_ms }] of Object.entries(cases))
  test(name, async () => {
    const { well, output, lastLine } = await run(files, silence_ms === undefined ? {} : { silence_ms })
    assert.is(lastLine, totals, output)
    assert.is(well, totals.includes(' 0 failed'))
    for (const part of prints) assert.ok(output.includes(part), output)
  })

test('a file that fails to load, one without tests and one that crashes at its end are failures', async () => {
  for (const [body, reason] of [
    ["import './missing.js'", 'ended with exit code 1'],
    ['', 'ran no test at all'],
    [lines("test('a', () => {})", "process.on('exit', () => { process.exitCode = 7 })"), 'ended with exit code 7']
  ] as const) {
    const { well, output, lastLine } = await run({ odd: body })
    assert.match(lastLine, ' passed, 1 failed, 0 skipped')
    assert.match(output, `odd.test.ts  ${reason}`)
    assert.is(well, false)
  }
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

test('a file that fails beside others and passes alone is named and fails nothing, where few have failed', async () => {
  const once = `
    const mark = new URL('mark', import.meta.url)
    test('second time lucky', () => {
      const isFirst = !existsSync(mark)
      writeFileSync(mark, '')
      assert.not.ok(isFirst, 'never at first')
    })`
  const files = {
    flaky: `import { existsSync, writeFileSync } from 'node:fs'\n${lines(once)}`,
    bad: lines("test('adds up', () => assert.is(1 + 1, 3))"),
    good: lines("test('a', () => {})")
  }
  const { well, output, lastLine } = await run(files, { againAlone: 2 })
  assert.is(well, false)
  assert.is(lastLine, '2 passed, 1 failed, 0 skipped', output)
  const [, told = ''] = output.split('Failed beside others, passed alone:')
  assert.match(told, /flaky\.test\.ts {2}fixture: second time lucky/)
  assert.match(told, 'never at first')
  assert.match(told, /Failed:\n.*bad\.test\.ts {2}fixture: adds up/)
  assert.is((await run({ flaky: files.flaky }, { againAlone: 1 })).well, true)
  assert.is((await run(files, { againAlone: 1 })).lastLine, '1 passed, 2 failed, 0 skipped')
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
