import * as assert from 'uvu/assert'
import { inStep, paramsFor, urlFor } from '../../../clients/console/src/model/query.js'
import { suite } from '../../support/suite.js'

const test = suite('the parameters of a URL, in step with their rows')

const on = (key: string, value: string) => ({ key, value, enabled: true })
const off = (key: string, value: string) => ({ key, value, enabled: false })

test('what is typed into the URL becomes rows, letter by letter', () => {
  const typed = ['a', 'a?', 'a?x', 'a?x=', 'a?x=1', 'a?x=1&', 'a?x=1&y=b%20c', 'a?y=b%20c', 'a']
  let [url, params] = ['a', [off('z', '9')] as ReturnType<typeof paramsFor>]
  const seen = typed.map((next) => {
    params = paramsFor(params, url, next)
    url = next
    return params.map(({ key, value, enabled }) => `${enabled ? '' : '-'}${key}:${value}`).join(' ')
  })
  assert.equal(seen, [
    '-z:9',
    '-z:9',
    '-z:9 x:',
    '-z:9 x:',
    '-z:9 x:1',
    '-z:9 x:1',
    '-z:9 x:1 y:b c',
    '-z:9 y:b c',
    '-z:9'
  ])
})

test('rows that stood in the URL keep their place, and others stay as they are', () => {
  const rows = [off('a', '1'), on('b', '2'), off('c', '3')]
  assert.equal(paramsFor(rows, 'u?b=2', 'u?b=4'), [off('a', '1'), on('b', '4'), off('c', '3')])
  assert.is(paramsFor(rows, 'u?b=2', 'w?b=2'), rows, 'another path is nothing to them')
})

test('a row of its own that is typed into the URL is no second one', () => {
  assert.equal(paramsFor([on('page', '1')], 'u', 'u?page=2'), [on('page', '2')])
})

test('a row of its own stays while a longer name than its own is typed into the URL', () => {
  const typed = ['u', 'u?pa', 'u?page', 'u?pageS', 'u?pageSize', 'u?pageSize=', 'u?pageSize=5']
  let [url, params] = ['u', [on('page', '1')] as ReturnType<typeof paramsFor>]
  for (const next of typed) {
    params = paramsFor(params, url, next)
    url = next
  }
  assert.equal(params, [on('page', '1'), on('pageSize', '5')])
})

test('what is changed in rows stands in the URL, encoded, with references as they are', () => {
  assert.is(
    urlFor('u#part', [], [on('q', 'a b&c'), on('at', '{{time}}'), off('x', '1')]),
    'u?q=a%20b%26c&at={{time}}#part'
  )
  assert.is(urlFor('u?q=1', [on('q', '1')], [off('q', '1')]), 'u')
  assert.is(urlFor('u?q=1', [on('q', '1')], [on('q', '')]), 'u?q')
})

test('what only the URL has stays in it as it was typed', () => {
  assert.is(urlFor('u?raw=%7e&b=2', [on('b', '2')], [on('b', '3')]), 'u?raw=%7e&b=3')
})

test('a row whose name is not typed yet is not in the URL', () => {
  assert.is(urlFor('u', [], [on('', 'x')]), 'u')
})

test('of a form put together of two, a row counts before what stands in the URL', () => {
  const form = { url: 'u?a=1&b=2&c=3&c=4', params: [on('a', '1'), on('b', 'x y'), on('c', '5'), off('d', '6')] }
  assert.is(inStep(form).url, 'u?a=1&b=x%20y&c=3&c=4')
  assert.is(inStep({ url: 'u', params: [on('a', '1')] }).url, 'u')
})

test.run()
