import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createLogger, readable } from '../../src/logging/logging.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { type Home, newHome, type Server } from './support.js'

const test = suite('a hub that is operated')
let home: Home
let port: number

test.before.each(async () => {
  home = await newHome()
  port = await freePort()
})

const base = () => `http://127.0.0.1:${port}`
const file = () => join(home.path, 'hub.log')

async function start(server: string, logging: string): Promise<Server> {
  const sections = [
    `server: {host: 127.0.0.1, port: ${port}${server}}`,
    'db: {driver: sqlite, path: data/hub.sqlite}',
    'redis: {driver: memory}',
    `logging: {file: hub.log, console: false, requests: true${logging}}`
  ]
  writeFileSync(join(home.path, 'server.yaml'), sections.join('\n'))
  return home.start(['start', '--init'], 'First collection')
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

test("SIGUSR2 and SIGHUP go on in a new log file, its owner's alone, where the one before was moved away", async () => {
  const server = await start('', '')
  for (const [signal, path] of [
    ['SIGUSR2', '/healthz'],
    ['SIGHUP', '/readyz']
  ] as const) {
    await fetch(`${base()}/health`)
    await until(() => /"route":"\/health"/.test(readFileSync(file(), 'utf8')))
    renameSync(file(), `${file()}.1`)
    process.kill(server.pid, signal)
    await until(() => existsSync(file()))
    await fetch(base() + path)
    await until(() => readFileSync(file(), 'utf8').includes(`"route":"${path}"`))
    assert.not.match(readFileSync(`${file()}.1`, 'utf8'), path)
    assert.is(statSync(file()).mode & 0o777, 0o600)
  }
  await until(() => server.stdout().includes('config reloaded'))
  assert.is((await server.stop()).code, 0)
})

test('a hub that is stopped says so at /readyz first, and takes requests for as long as is configured', async () => {
  const server = await start(', drainSeconds: 2', '')
  assert.is((await fetch(`${base()}/readyz`)).status, 200)
  const ended = server.stop()
  let refused: Response | undefined
  await until(async () => {
    refused = await fetch(`${base()}/readyz`)
    return refused.status === 503
  })
  assert.match(String(await refused?.text()), /"hub":\{"status":"error","error":"The hub is stopping\."\}/)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
  assert.is((await fetch(`${base()}/health`)).status, 200)
  assert.is((await ended).code, 0)
})

test('lines for people are one each, with their fields, and nothing that a terminal obeys', () => {
  const terminal = new PassThrough({ encoding: 'utf8' })
  const { logger } = createLogger({ level: 'info', format: 'simple', requests: false, console: true }, terminal)
  const err = new Error('gone\n\u001b[31mred')
  logger.warn({ route: '/collections/:id', took: 1.5, note: 'two words', err, password: 'hush' }, 'told \u202e so')
  const text = String(terminal.read())
  const [line = '', ...more] = text.trimEnd().split('\n')
  assert.equal(more, [])
  assert.match(
    line,
    /^\d{4}-\S+Z WARN {2}told \\u202e so route=\/collections\/:id took=1\.5 note="two words" err="Error: gone/
  )
  assert.match(line, /password=\[redacted\]$/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  assert.not.match(text, /[\u0000-\u0009\u000b-\u001f\u202e]|hush/)
  assert.is(readable('{"level":30,"time":0,"msg":"x","user":null}\n'), '1970-01-01T00:00:00.000Z INFO  x user=null\n')
})

test.run()
