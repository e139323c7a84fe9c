import { readdir, readFile } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'

const test = suite('loading of the SDKs')

test('a hub loads the SDK of a provider with its first call, not when it starts', async () => {
  const root = new URL('../../src/', import.meta.url)
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.js'))
  const lazy: string[] = []
  for (const file of files) {
    const code = await readFile(new URL(file, root), 'utf8')
    assert.not.match(code, /^(import|export) .*['"](openai|@anthropic-ai\/sdk)/m, file)
    if (/import\(['"](openai|@anthropic-ai\/sdk)['"]\)/.test(code)) lazy.push(file)
  }
  assert.equal(lazy.toSorted(), ['llm/anthropic.js', 'llm/openai.js'])
})

test.run()
