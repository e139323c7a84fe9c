import { unzipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { type Folder, packed } from '../../../clients/console/src/app/folders.js'
import { FOLDER_MOST } from '../../../clients/console/src/model/importing.js'
import { suite } from '../../support/suite.js'

const test = suite('folders that are dropped onto the console')

const folder = (...paths: readonly string[]): Folder => ({
  name: 'shop',
  async *files() {
    for (const path of paths) yield { path, file: path.endsWith('/') ? null : async () => new File(['{}'], path) }
  }
})
const packedOf = async (folder: Folder) => {
  const { file, leftOut } = await packed(folder)
  return { name: file.name, paths: Object.keys(unzipSync(new Uint8Array(await file.arrayBuffer()))), leftOut }
}

test('become an archive of what an import reads, under their own paths', async () => {
  assert.equal(await packedOf(folder('shop/a.json', 'shop/b/c.bru', 'shop/d.png', 'shop/.git/')), {
    ...{ name: 'shop', paths: ['shop/a.json', 'shop/b/c.bru'] },
    leftOut: ['2 files and hidden folders in it are of no kind that an import reads.']
  })
})

test('are taken up to a number of files and of bytes, and it is said where they are cut', async () => {
  const many = Array.from({ length: FOLDER_MOST.files + 1 }, (_, i) => `shop/${i}.json`)
  const { paths, leftOut } = await packedOf(folder(...many))
  assert.equal([paths.length, leftOut.length], [FOLDER_MOST.files, 1])
  assert.match(leftOut[0] ?? '', /behind the first 5,000 files the rest is left out/)
  const large = new File([new Uint8Array(FOLDER_MOST.bytes)], 'large.json')
  const asked: string[] = []
  const heavy: Folder = {
    name: 'heavy',
    async *files() {
      for (const path of ['a.json', 'b.json', 'c.json'])
        yield {
          path,
          file: async () => {
            asked.push(path)
            return path === 'b.json' ? large : new File(['{}'], path)
          }
        }
    }
  }
  assert.equal((await packedOf(heavy)).paths, ['a.json'])
  assert.equal(asked, ['a.json', 'b.json'])
})

test.run()
