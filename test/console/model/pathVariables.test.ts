import * as assert from 'uvu/assert'
import { isPathName, pathFilledIn, pathNamesIn, urlPartsOf } from '../../../clients/console/src/model/pathVariables.js'
import { suite } from '../../support/suite.js'

const test = suite('variables in the path of a URL')

test('a part of the path that is a colon and a name is one, wherever the path begins', () => {
  for (const [url, names] of [
    ['https://api.example.com/users/:id', ['id']],
    ['{{baseUrl}}/users/:userId/orders/:order-id?page=:page#:part', ['userId', 'order-id']],
    ['/:größe/:größe/', ['größe']],
    ['users/:id', ['id']]
  ] as const)
    assert.equal(pathNamesIn(url), names)
})

test('a port, a scheme, a password and what stands inside a part are none', () => {
  for (const url of [
    'http://localhost:8080/users',
    'http://:8080/x',
    'http://:host/x',
    '{{scheme}}://:host/x',
    'http://ada:secret@host/x',
    'localhost:port/x',
    ':id/x',
    '/users/:/x',
    '/users/:1',
    '/jobs/7:cancel',
    '/users/:id.json',
    '/at/12:30',
    '/x?at=/:id',
    '/x#/:id',
    '',
    'urn:isbn:1'
  ])
    assert.equal([url, pathNamesIn(url)], [url, []])
})

test('each is filled in where there is a value for it, and stays as it is where there is none', () => {
  const valueFor = (name: string) => ({ id: 'a%2Fb', long: '/:id' })[name] ?? null
  assert.is(pathFilledIn('http://h:1/:id/x/:none/:id?q=:id', valueFor), 'http://h:1/a%2Fb/x/:none/a%2Fb?q=:id')
  assert.is(pathFilledIn('/:long/:id', valueFor), '//:id/a%2Fb')
})

test('a URL is told in parts, with references beside them', () => {
  assert.equal(urlPartsOf('{{base}}/users/:id/x?q={{q}}'), [
    { text: '{{base}}', name: 'base' },
    { text: '/users/' },
    { text: ':id', name: 'id' },
    { text: '/x?q=' },
    { text: '{{q}}', name: 'q' }
  ])
  assert.equal(urlPartsOf('http://h/'), [{ text: 'http://h/' }])
})

test('only a name without blanks and signs can stand there', () => {
  assert.equal(['id', '_a-1', 'größe', '1', 'a b', 'a.b', ''].map(isPathName), [
    true,
    true,
    true,
    false,
    false,
    false,
    false
  ])
})

test('a path of many variables is filled in as one of few is', () => {
  const path = (part: string) => `https://api.example${`/${part}`.repeat(150_000)}`
  assert.is(
    pathFilledIn(path(':id'), () => '7'),
    path('7')
  )
})

test.run()
