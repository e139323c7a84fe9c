import * as assert from 'uvu/assert'
import { addressOf, authIn, pairsIn, scriptsIn } from '../../../clients/console/src/model/live.js'
import { pathOf, refOf } from '../../../clients/console/src/model/records.js'
import { whatHappened } from '../../../clients/console/src/model/versions.js'
import { suite } from '../../support/suite.js'

const test = suite('live servers and live pages, as people read them')

test('scripts are told by name and moment, and what is no script that is known is shown as it is', () => {
  const known = { id: '1', name: 'Wait', enabled: false, runAt: 'document-start', source: 'wait()' }
  assert.equal(scriptsIn([known, 'go()', { uuid: 'x' }, null]), [
    { name: 'Wait', when: 'document start', isOn: false, source: 'wait()' },
    { name: 'Script 2', when: '', isOn: true, source: 'go()' },
    { name: 'Script 3', when: '', isOn: true, source: '{\n  "uuid": "x"\n}' },
    { name: 'Script 4', when: '', isOn: true, source: 'null' }
  ])
})

test('of names and values the default stands in where there is no value, and what has no name is left out', () => {
  const list = [
    { key: 'a', value: '', defaultValue: 'b' },
    { name: 'c', value: 'd', enabled: false },
    7,
    { value: 'e' }
  ]
  assert.equal(pairsIn(list), [
    { key: 'a', value: 'b', enabled: true },
    { key: 'c', value: 'd', enabled: false }
  ])
})

test('authorization of any type tells what is filled in of it', () => {
  const oauth2 = { clientId: 'hub', clientSecret: 'shh', scopes: '', expiresIn: 60, nested: { tokenUrl: 'https://t' } }
  assert.equal(
    authIn({ type: 'oauth2', oauth2, basic: { username: 'unused' } })?.pairs.map(({ key, value }) => [key, value]),
    [
      ['Client id', 'hub'],
      ['Client secret', 'shh'],
      ['Expires in', '60'],
      ['Nested: token url', 'https://t']
    ]
  )
  for (const none of [undefined, null, 'basic', {}, { type: 'none', basic: { username: 'x' } }])
    assert.is(authIn(none), null)
  assert.equal(authIn({ type: 'new' }), { type: 'new', pairs: [] })
})

test('an address says where no port is chosen, and holds the host of any kind', () => {
  assert.is(addressOf({ host: '127.0.0.1', port: 4100, ssl: { enabled: false } }), 'http://127.0.0.1:4100')
  assert.is(addressOf({ host: '::1', port: null, ssl: { enabled: true } }), 'https://[::1], on a port that is free')
})

test('they have addresses of their own, and versions that say what was done', () => {
  const server = { kind: 'liveServer', id: 'x' } as const
  assert.equal(pathOf(server), ['live-servers', 'x'])
  assert.equal(refOf(['live-pages', 'y']), { kind: 'livePage', id: 'y' })
  const version = { version: 2, position: 9, at: '', by: { id: 'u', name: 'U' }, isDeleted: false, isErased: false }
  const told = { ...version, type: 'LiveServerUpdated', changed: ['root', 'openPath'], causation: null }
  assert.is(whatHappened('liveServer', told), 'changed folder and path to open')
  assert.is(whatHappened('liveServer', { ...told, type: 'LiveServerDeletionLocked' }), 'locked it against deletion')
})

test.run()
