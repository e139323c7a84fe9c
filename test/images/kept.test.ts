import * as assert from 'uvu/assert'
import { usersTable } from '../../commands/people/user/table.js'
import { openLedger } from '../../src/app/openLedger.js'
import { errors } from '../../src/errors.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { releaseImage, releaseImages, withImage } from '../../src/records/images/shown.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { anAccount } from '../decide/people.js'
import { rejection } from '../log/faults.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('images that are kept')
const bytes = Buffer.from('an image')
const sha256 = 'a'.repeat(64)
const image = { ref: { sha256, mediaType: 'image/png', bytes: bytes.length }, bytes }
let ledger: Ledger

test.before.each(async () => {
  const storage = openMemory()
  await storage.schema.createTables()
  ledger = await openLedger(storage, () => null)
  for (const id of ['ada', 'bob']) {
    const token = { tokenId: `token-${id}`, prefix: 'hbk_abc', hash: id }
    await ledger.run({ type: 'CreateUser', id, account: anAccount(id), token }, systemOrigin)
  }
})

const change = (id: string, to: typeof image.ref | null) =>
  ledger.run({ type: 'UpdateUser', id, changes: {}, avatar: { image: to } }, systemOrigin)
const show = (id: string) => withImage(ledger, image, () => change(id, image.ref))
const kept = () => ledger.storage.blobs.get(sha256)

test('bytes are there before anybody shows them', () =>
  withImage(ledger, image, async () => {
    assert.equal(await kept(), bytes)
    assert.is((await ledger.readModel.get(usersTable, 'ada'))?.image, null)
  }))

test('an image that is found unused just before somebody shows it is there afterwards', async () => {
  await withImage(ledger, image, async () => {
    await releaseImage(ledger, sha256)
    assert.is(await kept(), null)
    await change('ada', image.ref)
  })
  assert.equal(await kept(), bytes)
})

test('an image that somebody comes to show while it is deleted is put back', async () => {
  await ledger.storage.blobs.put(sha256, bytes)
  const { blobs } = ledger.storage
  const slow = {
    ...blobs,
    async delete(key: string) {
      await change('ada', image.ref)
      await blobs.delete(key)
    }
  }
  await releaseImage({ storage: { blobs: slow }, readModel: ledger.readModel }, sha256)
  assert.equal(await kept(), bytes)
})

test('of a refused change nothing is left, unless another shows the same image', async () => {
  const refused = () =>
    rejection(
      withImage(ledger, image, async () => {
        throw errors.forbidden()
      })
    )
  await refused()
  assert.is(await kept(), null)
  await show('bob')
  await refused()
  assert.equal(await kept(), bytes)
})

test('of a change that may have happened the image stays, until it is found that nobody shows it', async () => {
  const lost = withImage(ledger, image, async () => {
    throw new StorageUnavailable('The database does not answer.')
  })
  assert.instance(await rejection(lost), StorageUnavailable)
  assert.equal(await kept(), bytes)
  await releaseImages(ledger)
  assert.is(await kept(), null)
})

test('an image goes with the last account that shows it', async () => {
  await show('ada')
  await show('bob')
  await change('ada', null)
  assert.equal(await kept(), bytes)
  await ledger.run({ type: 'DeleteUser', id: 'bob' }, systemOrigin)
  assert.is(await kept(), null)
})

test('more images than one page holds are all looked at', async () => {
  await show('ada')
  for (let i = 0; i < 1500; i++) await ledger.storage.blobs.put(i.toString(16).padStart(64, '0'), bytes)
  await releaseImages(ledger)
  assert.equal(await ledger.storage.blobs.list('', 10), [sha256])
})

test.run()
