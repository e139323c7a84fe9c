import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { usualDrivers } from '../../http/drivers.js'
import { startBeside } from '../../http/support.js'
import { isFull } from '../../support/full.js'
import { suite } from '../../support/suite.js'
import * as openai from '../fakes/openai.js'
import { eventStream, type Respond } from '../fakes/upstream.js'
import { aHubWithModels, GPT } from './setting.js'

const LIMIT = 20_000
const ACCOUNTS = isFull ? 8 : 4
const STREAMS = isFull ? 128 : 16
const MOST_OUTPUT = 400
const asked = z.object({ max_tokens: z.number() })

/** Uses all that it may, after a while. */
const greedy: Respond = async (response, request) => {
  const { max_tokens } = asked.parse(request.body)
  await sleep(5 + Math.random() * 30)
  await eventStream(openai.chunks({ text: 'x', usage: [30, max_tokens] }))(response, request)
}

for (const driver of usualDrivers) {
  const hubs = driver.name === 'sqlite' ? 1 : 3
  const test = suite(`budgets under many streams on ${driver.name}`, { needs: driver.needs })

  test(
    `${STREAMS} streams at once of each of ${ACCOUNTS} accounts at ${hubs} hubs use no token more than ${LIMIT}, and nearly all of them`,
    async () => {
      const setting = await aHubWithModels(driver)
      const { config } = setting.hub.hub
      const sections = { config: { llm: { providers: config.llm?.providers } } }
      const beside = await Promise.all(Array.from({ length: hubs - 1 }, () => startBeside(setting.hub, sections)))
      const urls = [setting.hub.url, ...beside.map(({ url }) => url)]
      setting.openai.answer(greedy)
      const tokens = await Promise.all(
        Array.from({ length: ACCOUNTS }, () => setting.person({ llmMonthlyTokenLimit: LIMIT }))
      )
      const body = JSON.stringify({
        ...{ model: GPT, messages: [{ role: 'user', content: 'Hello' }] },
        ...{ max_tokens: MOST_OUTPUT, stream: true }
      })
      const stream = async (token: string, at: number) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        // Until nothing is left of it.
        for (;;) {
          const reply = await fetch(`${urls[at % urls.length]}/v1/chat/completions`, { method: 'POST', headers, body })
          await reply.text()
          if (reply.status === 402) return
          assert.ok([200, 429].includes(reply.status), String(reply.status))
          if (reply.status === 429) await sleep(20 + Math.random() * 100)
        }
      }
      await Promise.all(tokens.flatMap((token) => Array.from({ length: STREAMS }, (_, at) => stream(token, at))))
      for (const token of tokens) {
        const used = await setting.usage(token)
        assert.ok(used <= LIMIT && used > LIMIT * 0.95, `${used} of ${LIMIT}`)
        assert.is(await setting.held(token), 0)
      }
      await Promise.all(beside.map((one) => one.close()))
      await setting.close()
    },
    { timeout_ms: 600_000 }
  )
  test.run()
}
