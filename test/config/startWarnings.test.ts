import * as assert from 'uvu/assert'
import { startWarnings } from '../../src/config/startWarnings.js'
import { suite } from '../support/suite.js'
import { parse } from './parsing.js'

const test = suite('warnings about where the hub is reached')

const warned = (server: object) =>
  startWarnings(parse({ server: `server: ${JSON.stringify({ port: 1, ...server })}` }).config).map((text) =>
    text.startsWith('Invite links') ? 'links' : text.startsWith('Tokens go over plain HTTP') ? 'transport' : text
  )
const publicUrl = 'https://hub.example.com'
const trustedProxies = ['127.0.0.1']

test('this machine alone needs none', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2']) assert.equal(warned({ host }), [])
})

test('links that would name this machine are told of where others are served', () => {
  assert.equal(warned({ host: '0.0.0.0', trustedProxies }), ['links'])
  assert.equal(warned({ host: '::', trustedProxies }), ['links'])
  assert.equal(warned({ host: '127.0.0.1', trustedProxies }), ['links'])
  assert.equal(warned({ host: '127.0.0.1', trustedProxies, publicUrl }), [])
  assert.equal(warned({ host: '10.0.0.1', trustedProxies }), [])
})

test('plain HTTP to others is told of, unless a proxy is named or the public address is https', () => {
  assert.equal(warned({ host: '10.0.0.1' }), ['transport'])
  assert.equal(warned({ host: '0.0.0.0' }), ['links', 'transport'])
  assert.equal(warned({ host: '0.0.0.0', publicUrl: 'http://hub.example.com' }), ['transport'])
  assert.equal(warned({ host: '0.0.0.0', publicUrl }), [])
})

test('a certificate that is not verified is told of, for the database and for Redis', () => {
  const { config } = parse({
    db: 'db: {driver: postgres, url: "postgres://u:p@h/d", tls: {rejectUnauthorized: false}}',
    redis: 'redis: {url: "rediss://h", tls: {rejectUnauthorized: false}}'
  })
  assert.equal(
    startWarnings(config).map((text) => /\((.*)\).*in ([a-z.]+),/.exec(text)?.slice(1)),
    [
      ['db.tls.rejectUnauthorized is false', 'db.tls.ca'],
      ['redis.tls.rejectUnauthorized is false', 'redis.tls.ca']
    ]
  )
  assert.equal(startWarnings(parse({ db: 'db: {driver: postgres, url: "postgres://u:p@h/d", tls: true}' }).config), [])
})

test.run()
