import { emitEnvironment } from '../../commands/environment/events.js'
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
  await there.when(update('e4'), { by: onlyFirst }).refused('Unknown environment id: e4.', 400)
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

test.run()
