import type { EnvironmentCommand } from '../../commands/records/environment/decide.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import { suite } from '../support/suite.js'
import { given } from './given.js'
import { ada, someone } from './people.js'

const test = suite('deciding on environments')

const content = (parentUuid: string | null = null) => ({ name: 'E', variables: [], marker: null, parentUuid })
const made = (id: string) => emitEnvironment(id, 'EnvironmentCreated', content())
const update = (parentUuid: string) => ({ type: 'UpdateEnvironment', id: 'e1', content: content(parentUuid) }) as const
const onlyFirst = someone({ environmentAccess: ['e1', 'e3'] })

test('a parent that the caller may not see is refused as one that is not there', async () => {
  const there = given(made('e1'), made('e2'), made('e3'))
  await there.when(update('e2'), { by: onlyFirst }).refused('Unknown environment id: e2.', 400)
  for (const by of [onlyFirst, ada]) await there.when(update('e4'), { by }).refused('Unknown environment id: e4.', 400)
  await there.when(update('e3'), { by: onlyFirst }).then(emitEnvironment('e1', 'EnvironmentUpdated', content('e3')))
  await there.when(update('e2'), { by: ada }).then(emitEnvironment('e1', 'EnvironmentUpdated', content('e2')))
})

test('a parent that somebody else has given it may stay', async () => {
  const child = emitEnvironment('e1', 'EnvironmentUpdated', content('e2'))
  const renamed = { ...content('e2'), name: 'F' }
  await given(made('e1'), made('e2'), child)
    .when({ type: 'UpdateEnvironment', id: 'e1', content: renamed }, { by: onlyFirst })
    .then(emitEnvironment('e1', 'EnvironmentUpdated', renamed))
})

const create: EnvironmentCommand = { type: 'CreateEnvironment', id: 'e1', name: 'E' }
const rename: EnvironmentCommand = {
  type: 'UpdateEnvironment',
  id: 'e1',
  content: { name: 'F', variables: [] }
}
const renamed = emitEnvironment('e1', 'EnvironmentUpdated', { ...content(), name: 'F' })

test('a new environment may stand below another one', () =>
  given(made('e2'))
    .when({ ...create, parentUuid: 'e2', marker: 'red' } as EnvironmentCommand)
    .then(emitEnvironment('e1', 'EnvironmentCreated', { ...content('e2'), marker: 'red' })))

test('an environment is not put below itself, directly or through others', async () => {
  const message = 'An environment cannot be its own parent, directly or through others.'
  await given(made('e1')).when(update('e1')).refused(message, 400)
  const below = emitEnvironment('e2', 'EnvironmentUpdated', content('e1'))
  await given(made('e1'), made('e2'), below).when(update('e2')).refused(message, 400)
})

test('nothing is put below environments that go round in a circle, and each may leave it', async () => {
  const circle = [['e1', 'e2'] as const, ['e2', 'e1'] as const].map(([id, above]) =>
    emitEnvironment(id, 'EnvironmentUpdated', content(above))
  )
  const past = given(made('e1'), made('e2'), made('e3'), ...circle)
  const message = 'An environment cannot be its own parent, directly or through others.'
  const below: EnvironmentCommand = { type: 'UpdateEnvironment', id: 'e3', content: content('e1') }
  await past.when(below).refused(message, 400)
  await past.when({ ...create, id: 'e4', parentUuid: 'e2' } as EnvironmentCommand).refused(message, 400)
  await past.when(update('e3')).then(emitEnvironment('e1', 'EnvironmentUpdated', content('e3')))
})

test('a marker and a parent that an update leaves out stay, and one that changes nothing is no event', async () => {
  const full = { ...content('e2'), marker: 'red' }
  const past = given(made('e1'), made('e2'), emitEnvironment('e1', 'EnvironmentUpdated', full))
  await past.when(rename).then(emitEnvironment('e1', 'EnvironmentUpdated', { ...full, name: 'F' }))
  await past
    .when({
      type: 'UpdateEnvironment',
      id: 'e1',
      content: { name: 'E', variables: [], marker: null, parentUuid: null }
    })
    .then(emitEnvironment('e1', 'EnvironmentUpdated', content()))
  await past.when({ type: 'UpdateEnvironment', id: 'e1', content: { name: 'E', variables: [] } }).nothing()
})

test('what was below an environment that is deleted has no parent any more', () =>
  given(
    ...[made('e1'), made('e2'), emitEnvironment('e1', 'EnvironmentUpdated', content('e2'))],
    emitEnvironment('e2', 'EnvironmentDeleted', { name: 'E' })
  )
    .when(rename)
    .then(renamed))

test.run()
