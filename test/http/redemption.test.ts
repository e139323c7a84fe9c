import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { drivers } from './drivers.js'
import { startHub } from './support.js'

const AT_ONCE = 200
const invited = z.object({ user: z.object({ id: z.string() }), secret: z.string() })
const tokens = z.object({ tokens: z.array(z.object({ userId: z.string() })) })

for (const driver of drivers) {
  const test = suite(`redeeming on ${driver.name}`, { needs: driver.needs })

  test(`an invitation ${AT_ONCE} times at once gives exactly one token`, async () => {
    const hub = await startHub(driver)
    try {
      const { token } = hub.admin
      const body = { name: 'ann', role: 'user' }
      const made = invited.parse((await hub.send({ method: 'POST', path: '/admin/invited-users', body, token })).body)
      const redeem = { method: 'POST', path: '/auth/invitations/redeem', body: { secret: made.secret } }
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => hub.send(redeem)))
      const statuses = replies.map(({ status }) => status)
      assert.is(statuses.filter((status) => status === 201).length, 1)
      assert.is(statuses.filter((status) => status === 410).length, AT_ONCE - 1)
      const all = tokens.parse((await hub.send({ method: 'GET', path: '/admin/tokens', token })).body).tokens
      assert.is(all.filter(({ userId }) => userId === made.user.id).length, 1)
    } finally {
      await hub.close()
    }
  })

  test.run()
}
