import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { LiveHub } from '../../src/app/live.js'
import { migrateDatabase } from '../../src/app/start.js'
import { parseConfig } from '../../src/config/load.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('a reload of the configuration')

test('that cannot open the log with another key keeps the keys of before, and takes the rest', async () => {
  const { path } = await temporaryDirectory()
  let audit: object = { sealKeyFile: 'key', formerSealKeyFiles: [] }
  const load = () =>
    parseConfig(
      JSON.stringify({
        server: { host: '127.0.0.1', port: 1 },
        db: { driver: 'sqlite', path: 'hub.sqlite' },
        redis: { driver: 'memory' },
        audit
      }),
      'server.yaml',
      path,
      {}
    )
  await migrateDatabase(load().config)
  const live = await LiveHub.open(load, () => pino({ level: 'silent' }))
  writeFileSync(join(path, 'other'), Buffer.alloc(32))
  audit = { sealKeyFile: 'other', formerSealKeyFiles: ['former'], retentionDays: 30 }
  const { sections } = await live.reload()
  assert.equal([sections[0]?.section, sections[0]?.status], ['db', 'failed'])
  const { sealKeyFile, formerSealKeyFiles, retentionDays } = live.hub.config.audit
  assert.equal([sealKeyFile, formerSealKeyFiles, retentionDays], [join(path, 'key'), [], 30])
  await live.close()
})

test.run()
