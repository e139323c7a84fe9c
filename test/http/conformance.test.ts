import * as assert from 'uvu/assert'
import { usualDrivers } from './drivers.js'
import { addressOf, requestOf, senderOf } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { anonymous } from './routes.js'
import { succeeded } from './world.js'

for (const driver of usualDrivers) {
  const { test, world } = hubSuite('the interface', driver)

  for (const endpoint of endpoints) {
    for (const one of endpoint.cases) {
      const { when, refusal } = one
      const status = refusal?.status ?? endpoint.success
      test(`${endpoint.row}, ${when}: ${status}`, async () => {
        const sent = await requestOf(endpoint, one, world)
        const { token } = (await senderOf(endpoint, sent, world)) ?? {}
        const { body, headers } = sent
        const send = () => world.hub.send({ ...addressOf(endpoint, sent), token, body, ...(headers && { headers }) })
        const reply = refusal
          ? await world.refused(status, send, refusal.error, sent.alsoSays)
          : succeeded(await send())
        assert.is(reply.status, status)
        const type = reply.headers['content-type']
        if (type?.startsWith('application/json')) assert.is(type, 'application/json; charset=utf-8')
        await sent.check?.(reply, sent, world)
      })
    }
  }

  test('every route of the server is in the tables, and every row of the tables is served', () => {
    const rows = endpoints.map(({ row }) => anonymous(row))
    // HEAD comes with every GET.
    const served = world.hub.routes().filter((route) => !route.startsWith('HEAD '))
    assert.equal(
      { served: served.toSorted(), once: new Set(rows).size },
      { served: rows.toSorted(), once: rows.length }
    )
  })

  test.run()
}
