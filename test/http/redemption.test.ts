import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { fields, records, text } from './client.js'
import { drivers } from './drivers.js'
import { withHub } from './hub-suite.js'

const AT_ONCE = 200

for (const driver of drivers) {
  const test = suite(`redeeming on ${driver.name}`, { needs: driver.needs })

  test(`an invitation ${AT_ONCE} times at once gives exactly one token`, () =>
    withHub(
      {},
      async ({ send, admin: { token } }) => {
        const body = { name: 'ann', role: 'user' }
        const made = await send({ method: 'POST', path: '/admin/invited-users', body, token })
        const secret = text(made.body, 'secret')
        const redeem = { method: 'POST', path: '/auth/invitations/redeem', body: { secret } }
        const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => send(redeem)))
        const statuses = replies.map(({ status }) => status).toSorted()
        assert.equal(statuses, [201, ...Array(AT_ONCE - 1).fill(410)])
        const tokens = records(await send({ method: 'GET', path: '/admin/tokens', token }), 'tokens')
        assert.is(tokens.filter(({ userId }) => userId === text(fields(made.body).user, 'id')).length, 1)
      },
      driver
    ))

  test.run()
}
