import * as assert from 'uvu/assert'
import {
  bytesIn,
  colorName,
  FACE_COLORS,
  faceChanges,
  imageRef,
  initialsFault,
  knownColor,
  squareOf,
  usualFace
} from '../../../clients/console/src/model/faces.js'
import { AVATAR_COLORS } from '../../../commands/people/avatar/avatar.js'
import { avatarOf } from '../../../queries/avatars.js'
import { suite } from '../../support/suite.js'

const test = suite('what stands for people')

test('of an account that has chosen nothing the console shows what the hub would', () => {
  assert.equal(FACE_COLORS, AVATAR_COLORS)
  for (const name of ['Mara Lindqvist', 'Tomás', 'ana maria da silva', ' ', '李 小龙', '(R2) - D2', 'ßa']) {
    for (const id of ['8a5e6b1c-0000-4000-8000-000000000001', 'x', ''])
      assert.equal(usualFace(id, name), avatarOf({ id, name, avatar: null }))
  }
})

test('a colour of a newer hub is shown as one that is known, and each has a name', () => {
  assert.equal([knownColor('rose-600'), knownColor('lime-600')], ['rose-600', 'sky-600'])
  assert.is(colorName('emerald-600'), 'Emerald')
})

test('initials are one or two letters of any script', () => {
  for (const good of ['k', 'KT', ' é ', '李']) assert.is(initialsFault(good), undefined)
  for (const bad of ['', 'abc', 'a1', '!']) assert.is(initialsFault(bad), 'Initials are one or two letters.')
})

test('only addresses of the hub name an image', () => {
  assert.equal(imageRef('/auth/users/a-1/avatar?v=17'), { of: 'user', id: 'a-1', v: '17' })
  assert.equal(imageRef('/auth/hub/avatar?v=2'), { of: 'hub', v: '2' })
  for (const other of ['https://elsewhere.example/auth/hub/avatar', '/auth/users/a/b/avatar', '/admin/users', ''])
    assert.is(imageRef(other), null)
})

test('only what was chosen anew is sent', () => {
  const face = { initials: 'ML', color: 'sky-600' }
  assert.equal(faceChanges(face, { initials: ' ml ', color: 'sky-600', image: undefined }), {})
  assert.equal(faceChanges(face, { initials: 'm', color: 'rose-600', image: null }), {
    initials: 'm',
    color: 'rose-600',
    imageDataUrl: null
  })
})

test('the square of a long image is its beginning, its middle or its end', () => {
  assert.equal(squareOf(400, 100, 0), { x: 0, y: 0, side: 100 })
  assert.equal(squareOf(400, 100, 0.5), { x: 150, y: 0, side: 100 })
  assert.equal(squareOf(100, 400, 1), { x: 0, y: 300, side: 100 })
})

test('the bytes of a data URL are counted without decoding it', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'abcd'])
    assert.is(bytesIn(`data:image/png;base64,${Buffer.from(text).toString('base64')}`), text.length)
})

test.run()
