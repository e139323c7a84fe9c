import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import type { Reply } from './client.js'
import { usualDrivers } from './drivers.js'
import { addressOf, type Case, type Endpoint, statusFor, usualCaller, WHO } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { anonymous } from './routes.js'
import { succeeded, type World } from './world.js'

for (const driver of usualDrivers) {
  let world: World
  const test = hubSuite('the interface', driver, (made) => {
    world = made
  })

  for (const endpoint of endpoints) {
    for (const { when, refusal, make } of endpoint.cases) {
      const status = refusal?.status ?? endpoint.success
      test(`${endpoint.row}, ${when}: ${status}`, async () => {
        const sent = await make(world)
        const send = () => {
          const { token } = sent.by ?? usualCaller(endpoint, world) ?? {}
          return world.hub.send({
            ...addressOf(endpoint, sent),
            token,
            body: sent.body,
            ...(sent.headers && { headers: sent.headers })
          })
        }
        const reply = refusal
          ? await world.refused(status, send, refusal.error, sent.alsoSays)
          : succeeded(await send())
        assert.is(reply.status, status)
        assertForm(endpoint, reply)
        await sent.check?.(reply)
      })
    }
  }

  test('every route of the server is in the tables, and every row of the tables is served', () => {
    const rows = endpoints.map(({ row }) => anonymous(row))
    // HEAD comes with every GET.
    const served = world.hub.routes.filter((route) => !route.startsWith('HEAD '))
    assert.equal(
      { served: served.toSorted(), once: new Set(rows).size },
      { served: rows.toSorted(), once: rows.length }
    )
  })

  test.run()
}

const rows = suite('the tables of the interface')

for (const endpoint of endpoints) {
  rows(`${endpoint.row} has a case for its success and for every refusal`, () => {
    const tested = new Set([...endpoint.cases.map((one) => statusOf(endpoint, one)), ...statuses(endpoint)])
    const missing = [endpoint.success, ...endpoint.refusals].filter((status) => !tested.has(status))
    assert.equal(missing, [])
  })
}

rows.run()

function statusOf({ success }: Endpoint, { refusal }: Case): number {
  return refusal?.status ?? success
}

/** What the authorization matrix tests. */
function statuses(endpoint: Endpoint): readonly number[] {
  return WHO.map((who) => statusFor(endpoint, who))
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  events: 'text/event-stream; charset=utf-8',
  image: 'image/png'
} as const

/** What is true of every answer of section 4. */
function assertForm({ answers }: Endpoint, { status, text, headers }: Reply): void {
  if (status === 204 || status === 302) {
    assert.is(text, '')
    assert.is(headers['content-type'], undefined)
  } else {
    const type = status === 200 && answers ? TYPES[answers] : 'application/json; charset=utf-8'
    assert.is(headers['content-type'], type)
  }
}
