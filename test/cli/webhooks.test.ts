import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { migratedHome } from './support.js'

const test = suite('webhooks on the command line')
const made = z.object({ webhook: z.object({ id: z.string() }), secret: z.string().startsWith('whsec_') })

test('a webhook that is made shows its secret, though where it begins cannot be written down', async () => {
  const home = await migratedHome()
  appendFileSync(join(home.path, 'server.yaml'), 'webhooks: {keyFile: data/webhook-key}\n')
  const db = new Database(join(home.path, 'data/hub.sqlite'))
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON hub_state BEGIN SELECT RAISE(ABORT, 'There is no room.'); END`)
  db.close()
  const { webhook } = made.parse(await home.json('webhook', 'create', 'https://example.com/hook'))
  assert.match(await home.done('webhook', 'list'), new RegExp(`^${webhook.id} .* https://example.com/`))
  assert.match(await home.done('webhook', 'deliveries', webhook.id), /^Delivered up to position (\d+) of \1\.\n$/)
})

test.run()
