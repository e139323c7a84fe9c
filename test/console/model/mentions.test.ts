import * as assert from 'uvu/assert'
import { mentionBegun, mentionParts, peopleLike } from '../../../clients/console/src/model/mentions.js'
import { mentionedIn } from '../../../commands/talk/comment/mentions.js'
import { suite } from '../../support/suite.js'

const test = suite('people behind @')
const PEOPLE = ['Al', 'Al Bert', 'Mara Lindqvist', 'Tomás Ferreira']
const marked = (text: string) => mentionParts(text, PEOPLE).flatMap(({ text, name }) => (name ? [[text, name]] : []))

test('a mention is @ and a whole name, in whatever case, the longest that fits', () => {
  assert.equal(marked('Ask @mara lindqvist, or @Al Bert!'), [
    ['@mara lindqvist', 'Mara Lindqvist'],
    ['@Al Bert', 'Al Bert']
  ])
  for (const none of ['@Mara', '@Alfred', '@Al.', 'Mara Lindqvist', '@', '']) assert.equal(marked(none), [])
  const text = 'a@Al, @Al@Al Bert!'
  assert.is(
    mentionParts(text, PEOPLE)
      .map((part) => part.text)
      .join(''),
    text
  )
})

test('a mention is the same behind letters that grow when they are made small', () => {
  const people = ['Mara', 'İrem', 'Iris']
  const named = (text: string) => mentionParts(text, people).flatMap(({ text, name }) => (name ? [[text, name]] : []))
  assert.equal(named('İİİ @Mara and @İrem, @IRIS!'), [
    ['@Mara', 'Mara'],
    ['@İrem', 'İrem'],
    ['@IRIS', 'Iris']
  ])
})

test('whoever is marked is mentioned for the hub too', () => {
  const people = PEOPLE.map((name) => ({ name }))
  for (const text of [
    '@Al',
    '@al bert',
    '@Alb',
    '@Mara Lindqvist-',
    'x@Tomás Ferreira?',
    '@@Al',
    '@Tomás Ferreira'.normalize('NFD'),
    '@Al\u0301'
  ]) {
    const told = mentionedIn(text, people).map(({ name }) => name)
    for (const [, name = ''] of marked(text)) assert.ok(told.includes(name), text)
    assert.is(marked(text).length > 0, told.length > 0, text)
  }
})

test('a name is begun behind @, and found by the beginning of each of its words', () => {
  assert.is(mentionBegun('Hello @Ma'), 'Ma')
  assert.is(mentionBegun('@'), '')
  for (const none of ['me@host', 'Hello', '@Ma\nnext']) assert.is(mentionBegun(none), null)
  assert.equal(peopleLike('fe', PEOPLE), ['Tomás Ferreira'])
  assert.equal(peopleLike('al', PEOPLE), ['Al Bert'])
  assert.equal(peopleLike('', PEOPLE), PEOPLE)
})

test('only as many signs are looked behind as the hub looks behind', () => {
  assert.is(marked('@Al '.repeat(1000)).length, 200)
})

test.run()
