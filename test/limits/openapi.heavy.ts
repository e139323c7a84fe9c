import { openApi } from '../../docs/openApi.js'
import { fields } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { assertNoCrash } from '../http/hub-suite.js'
import { startHub } from '../http/support.js'
import { fuzz } from '../openapi/fuzz.js'
import { suite } from '../support/suite.js'

/** By default a minute of them; 50,000 take about five. */
const REQUESTS = Number(process.env.HUB_TEST_REQUESTS ?? 10_000)
const SEED = Number(process.env.HUB_TEST_SEED ?? Date.now() % 1_000_000_000)
const test = suite(`${REQUESTS} requests made from the description (seed ${SEED})`)

test(
  'every answer to them is one that the description tells of, and none is a failure',
  async () => {
    const hub = await startHub(sqlite)
    try {
      const document = fields(JSON.parse(JSON.stringify(await openApi())))
      const figures = await fuzz(hub, document, SEED, REQUESTS, 4)
      process.stdout.write(`${JSON.stringify(figures)}\n`)
      assertNoCrash(hub)
    } finally {
      await hub.close()
    }
  },
  { timeout_ms: 1_800_000 }
)

test.run()
