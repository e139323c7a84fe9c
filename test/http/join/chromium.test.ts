import { chmod, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import * as assert from 'uvu/assert'
import { findChromium } from '../../support/chromium.js'
import { type TemporaryDirectory, temporaryDirectory } from '../../support/databases.js'
import { suite } from '../../support/suite.js'

const test = suite('the browser of the tests')
let directory: TemporaryDirectory

test.before(async () => {
  directory = await temporaryDirectory()
  for (const name of ['google-chrome', 'chromium-browser', 'chromium']) {
    await writeFile(join(directory.path, name), '')
    await chmod(join(directory.path, name), name === 'chromium' ? 0o644 : 0o755)
  }
})
test.after(() => directory?.remove())

test('is the one that the environment names', () => {
  const path = join(directory.path, 'google-chrome')
  assert.equal(findChromium({ HUB_TEST_CHROMIUM: path, PATH: '/usr/bin' }), { path })
})

test('is not another one when that is none', () => {
  const path = join(directory.path, 'chromium')
  assert.equal(findChromium({ HUB_TEST_CHROMIUM: path, PATH: directory.path }), {
    missing: `HUB_TEST_CHROMIUM=${path} is not an executable file`
  })
})

test('is else the first on the path that can be run', () => {
  const PATH = ['/nowhere', directory.path].join(delimiter)
  assert.equal(findChromium({ PATH }), { path: join(directory.path, 'chromium-browser') })
})

test('is missing where the path has none, which is said', () => {
  assert.equal(findChromium({ PATH: '/nowhere' }), {
    missing: 'no HUB_TEST_CHROMIUM, and no chromium, chromium-browser, google-chrome on the path'
  })
})

test.run()
