import { witnessRaces } from '../race/witnesses.js'
import { suite } from '../support/suite.js'

/** 1 is ten thousand rounds. By default a tenth. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.1)

const test = suite('limits: witnesses', { needs: ['postgres', 'redis'] })
witnessRaces(test, Math.round(10_000 * SCALE))
test.run()
