import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import * as assert from 'uvu/assert'
import { createLogger } from '../../src/logging/logging.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('logging')
const logging = { level: 'info', format: 'json', requests: false, console: true } as const

test('entries go to console and file as JSON lines, from the level on, and without secrets', async () => {
  const { path } = await temporaryDirectory()
  const file = join(path, 'logs', 'hub.log')
  const terminal = new PassThrough({ encoding: 'utf8' })
  const { logger } = createLogger({ ...logging, level: 'warn', file }, terminal)
  logger.info('too quiet')
  const db = { user: 'hub', password: 'hush' }
  logger.warn(
    { headers: { authorization: 'Bearer hush' }, config: { db, llm: { openai: { apiKey: 'hush' } } } },
    'told'
  )
  logger.error({ secret: 'hush', token: 'hush' }, 'told too')
  const text = readFileSync(file, 'utf8')
  assert.is(terminal.read(), text)
  assert.not.match(text, /hush/)
  const [first, second, ...rest] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal([first.msg, second.msg, rest], ['told', 'told too', []])
  assert.equal(first.config.db, { user: 'hub', password: '[redacted]' })
})

test('without console and file nothing is written', () => {
  const terminal = new PassThrough({ encoding: 'utf8' })
  createLogger({ ...logging, level: 'debug', console: false }, terminal).logger.error('unheard')
  assert.is(terminal.read(), null)
})

test.run()
