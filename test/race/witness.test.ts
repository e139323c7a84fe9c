import { suite } from '../support/suite.js'
import { witnessRaces } from './witnesses.js'

const test = suite('races: postgres and redis', { needs: ['postgres', 'redis'] })
witnessRaces(test, 60)
test.run()
