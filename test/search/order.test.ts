import * as assert from 'uvu/assert'
import { content, prose } from '../decide/made.js'
import { suite } from '../support/suite.js'
import { type Searched, searched } from './searched.js'

const test = suite('the order of what search finds')
let hub: Searched

test.before.each(async () => {
  hub = await searched()
  await hub.run({ type: 'CreateCollection', id: 'c', name: 'c' })
})
test.after.each(() => hub.close())

const request = (id: string, name: string, changes: Parameters<typeof content>[1] = {}) =>
  hub.run({ type: 'CreateRequest', id, collectionId: 'c', folderId: null, content: content(name, changes) })
const document = (id: string, name: string, text = '') =>
  hub.run({ type: 'CreateDocument', id, collectionId: 'c', folderId: null, content: prose(name, { content: text }) })

test('names that have the words in their order come before newer ones that have them in another', async () => {
  await request('in-order', 'Then create order now')
  await request('apart', 'Create an order')
  await request('other-order', 'The order to create')
  await request('same-words', 'Order create')
  assert.equal(await hub.found('create order'), ['same-words', 'in-order', 'other-order', 'apart'])
  assert.equal((await hub.found('create ord'))[0], 'in-order', 'the last word is a beginning')
  assert.equal(await hub.paged('create order', 1), await hub.found('create order'))
})

test('the order counts in addresses and in texts as well, there too before newness', async () => {
  await request('address', 'One', { url: 'https://x.test/rate/limit' })
  await request('turned address', 'Two', { url: 'https://x.test/limit/rate' })
  await request('text', 'Three', { comment: 'About the rate limit.' })
  await request('turned text', 'Four', { comment: 'A limit of the rate.' })
  assert.equal(await hub.found('rate limit'), ['address', 'turned address', 'text', 'turned text'])
  assert.equal(await hub.paged('rate limit', 1), ['address', 'turned address', 'text', 'turned text'])
})

test('an identifier follows as a whole and by its parts', async () => {
  await request('r', 'Call', { comment: 'first getUserById then' })
  await request('newer', 'Call', { comment: 'then getUserById first' })
  for (const q of ['first getuserbyid', 'first get user', 'user by id then', 'getuserbyid then'])
    assert.is((await hub.found(q))[0], 'r', q)
})

test('a document whose name begins so stands before addresses, and behind what is named so', async () => {
  await request('address', 'One', { url: 'https://x.test/refund/policy' })
  await request('named', 'The policy of a refund')
  await document('d', 'Refund policy of the team')
  await document('inside', 'Our refund policy')
  assert.equal(await hub.found('refund policy'), ['named', 'd', 'inside', 'address'])
  await document('exact', 'Refund policy')
  assert.is((await hub.found('refund policy'))[0], 'exact')
})

test('the order of as many words is known as the limits say, and all words are found', async () => {
  const words = Array.from({ length: 700 }, (_, i) => `w${i}`)
  await document('older', 'Long', words.join(' '))
  await document('newer', 'Long', words.toReversed().join(' '))
  assert.equal(await hub.found('w3 w4 "'), ['older', 'newer'])
  assert.equal(await hub.found('w650 w651 "'), ['newer', 'older'])
})

test.run()
