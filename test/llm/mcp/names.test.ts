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

test('of tools that would be offered under one name one is, be it the one that is called so', () => {
  const [[shortened = ''] = []] = [...offeredNames(0, ['find user'])]
  const plain = shortened.replace('hubmcp__0__', '')
  const names = offeredNames(0, ['find user', plain])
  assert.equal([...names], [[shortened, plain]])
  assert.equal([...offeredNames(0, ['same', 'same'])], [['hubmcp__0__same', 'same']])
})

test.run()
