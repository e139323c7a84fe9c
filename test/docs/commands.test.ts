import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { commands } from '../../cli/commands.js'
import { HubCli } from '../../cli/pages.js'
import { commandsPage } from '../../docs/commandsPage.js'
import { suite } from '../support/suite.js'

const test = suite('the page of commands')
const page = readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8')

test('it is what the commands say of themselves: npm run docs writes it', () => {
  assert.is(page, commandsPage(new HubCli(commands).pages))
})

test('every command has its place', () => {
  for (const { paths: [path = []] = [] } of commands) {
    assert.match(page, new RegExp(`^### \`hub ${path.join(' ')}( .*)?\`$`, 'm'))
  }
})

test.run()
