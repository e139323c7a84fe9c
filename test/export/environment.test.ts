import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { writeEnvironment } from '../../src/records/export/environment.js'
import { ENVIRONMENT_FORMATS } from '../../src/records/export/exported.js'
import { writeEnvironmentInThread } from '../../src/records/export/thread.js'
import type { Variable } from '../../src/records/formats/model.js'
import { readImport } from '../../src/records/import/formats.js'
import { suite } from '../support/suite.js'
import { line, name } from './trees.js'

const test = suite('an environment that is exported and imported again')

const key = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/)
const variable = fc
  .record({ key, value: line, share: fc.boolean(), enabled: fc.boolean() })
  .map(({ share, enabled, ...row }): Variable => ({ ...row, defaultValue: '', share, enabled }))
const environments = (of: fc.Arbitrary<Variable>) =>
  fc.record({
    ...{ id: fc.constant('e1'), name, parentUuid: fc.constant(null) },
    variables: fc.uniqueArray(of, { maxLength: 5, selector: (one) => one.key })
  })

/** What each format has a place for. */
const HELD: Readonly<Record<(typeof ENVIRONMENT_FORMATS)[number], fc.Arbitrary<Variable>>> = {
  postman: variable,
  insomnia: variable.map((one) => ({ ...one, share: true, enabled: true })),
  bruno: variable.map((one) => ({ ...one, share: true })),
  opencollection: variable.map((one) => (one.share ? one : { ...one, value: '' })),
  harborclient: variable.map((one) => (one.share ? { ...one, defaultValue: 'd' } : { ...one, value: '' }))
}

for (const format of ENVIRONMENT_FORMATS)
  test(`by ${format} is the same`, () =>
    fc.assert(
      fc.property(environments(HELD[format]), (environment) => {
        const { bytes, notes } = writeEnvironment(environment, format)
        const read = readImport(bytes)
        assert.equal([notes, read.notes, read.format, read.tree], [[], [], format, null])
        const [back] = read.environments
        // A file of Bruno is called after its environment, which is not in it.
        assert.equal(
          [format === 'bruno' || back?.name === environment.name, back?.variables],
          [true, environment.variables]
        )
      }),
      { numRuns: 60 }
    ))

const one = (more: object) => ({ key: 'k', value: 'v', defaultValue: '', share: true, enabled: true, ...more })

test('a long value costs as much as it is long, whatever ends its lines', () => {
  const variables = [one({ value: '\r'.repeat(100_000) })]
  const began = process.cpuUsage()
  writeEnvironment({ id: 'e1', name: 'Dev', parentUuid: null, variables }, 'bruno')
  const { user } = process.cpuUsage(began)
  assert.ok(user < 2_000_000, `${user / 1000} ms of the processor`)
})

test('however many variables there are, others have their turn while they are written', async () => {
  const variables = Array.from({ length: 5000 }, (_, i) => one({ key: `k${i}`, value: 'a "value"\n' }))
  const environment = { id: 'e1', name: 'Dev', parentUuid: null, variables }
  for (const format of ENVIRONMENT_FORMATS) {
    let [turns, isOver] = [0, false]
    const writing = writeEnvironmentInThread(environment, format).finally(() => {
      isOver = true
    })
    for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve))
    assert.ok(turns > 20, `${turns} turns`)
    assert.equal(Buffer.from((await writing).bytes), Buffer.from(writeEnvironment(environment, format).bytes))
  }
})

test('what a format has no place for is told, and a secret value is in no note', () => {
  const environment = {
    ...{ id: 'e1', name: 'Dev', parentUuid: 'e2' },
    variables: [one({ share: false, value: 'hidden', defaultValue: 'other' }), one({ enabled: false })]
  }
  const whats = (format: (typeof ENVIRONMENT_FORMATS)[number]) =>
    writeEnvironment(environment, format).notes.map(({ what }) => what)
  const always = [
    'That it adds to another environment is left out.',
    'A default value becomes the value of a variable that has none, and is left out otherwise.'
  ]
  const secrets = 'Values that are not shared are left out: Bruno keeps those of secrets on each machine.'
  assert.equal(whats('postman'), always)
  assert.equal(whats('bruno'), [...always, secrets])
  assert.equal(whats('opencollection'), [...always, secrets])
  assert.equal(whats('insomnia'), [
    ...always,
    'That variables are not shared is left out.',
    'Variables that are disabled are left out: Insomnia has none.'
  ])
  assert.equal(whats('harborclient'), [
    'The environment that it adds to is a file of its own.',
    'Values that are not shared are left out, as HarborClient leaves them out.'
  ])
  for (const format of ENVIRONMENT_FORMATS)
    assert.not.match(JSON.stringify(writeEnvironment(environment, format).notes), 'hidden')
  for (const format of ['bruno', 'harborclient'] as const)
    assert.not.match(Buffer.from(writeEnvironment(environment, format).bytes).toString(), 'hidden')
})

test('secrets of Bruno keep their names, and whether they are in force', () => {
  const variables = [
    one({ key: 'a', share: false, value: '' }),
    one({ key: 'b', share: false, value: '', enabled: false })
  ]
  const { bytes } = writeEnvironment({ id: 'e1', name: 'Dev', parentUuid: null, variables }, 'bruno')
  const [back] = readImport(bytes).environments
  assert.equal(
    back?.variables.map(({ key, share, enabled }) => [key, share, enabled]),
    [
      ['a', false, true],
      ['b', false, false]
    ]
  )
})

test.run()
