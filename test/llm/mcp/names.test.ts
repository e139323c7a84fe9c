import * as assert from 'uvu/assert'
import { offeredNames } from '../../../src/llm/mcp/mcpTools.js'
import { suite } from '../../support/suite.js'

const test = suite('names of tools of tool servers')

test('a plain name is offered behind the position of its server', () => {
  assert.equal([...offeredNames(3, ['get-it_2'])], [['hubmcp__3__get-it_2', 'get-it_2']])
})

test('a name of exactly the longest length is left alone, and one more letter is not', () => {
  const longest = 'x'.repeat(64 - 'hubmcp__0__'.length)
  const [[first] = [], [second] = []] = [...offeredNames(0, [longest, `${longest}y`])]
  assert.is(first, `hubmcp__0__${longest}`)
  assert.is(second?.length, 64)
  assert.match(second ?? '', /^hubmcp__0__x+_[0-9a-f]{10}$/)
})

test('strange names become names that providers take, and differ', () => {
  const names = ['find user', 'find.user', 'find/user', 'ключ', '鍵', '']
  const offered = [...offeredNames(0, names).keys()]
  assert.is(new Set(offered).size, names.length)
  for (const name of offered) assert.match(name, /^hubmcp__0__[a-zA-Z0-9_-]+$/)
})

test('a strange name is the same whatever stands beside it', () => {
  const nameOf = (names: readonly string[]) => [...offeredNames(0, names)].find(([, own]) => own === 'find user')?.[0]
  assert.is(nameOf(['find user']), nameOf(['a', 'find.user', 'find user', 'b']))
})

test('a plain name that looks like a shortened one keeps its name', () => {
  const [[shortened = ''] = []] = [...offeredNames(0, ['find user'])]
  const plain = shortened.replace('hubmcp__0__', '')
  const names = offeredNames(0, ['find user', plain])
  assert.is(names.get(shortened), plain)
  assert.is(names.size, 2)
})

test('of two tools with one name one is offered', () => {
  assert.is(offeredNames(0, ['same', 'same']).size, 1)
})

test.run()
