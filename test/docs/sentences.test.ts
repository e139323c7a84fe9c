import { readdirSync, readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { calendarOf, timeValue } from '../../cli/lib/times.js'
import { ACCESS_LISTS } from '../../commands/people/user/events.js'
import { newHome } from '../cli/support.js'
import { suite } from '../support/suite.js'

const test = suite('sentences of the pages')

const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** The words of the command that stands on a page behind a text. */
function commandBehind(page: string, before: RegExp): readonly string[] {
  const [, command = ''] = new RegExp(`${before.source}hub ([^\`\\n]*)`).exec(text(page)) ?? []
  return command.split(' ').map((word) => word.replaceAll('"', ''))
}

test('the example of a user who may do everything makes one, and the command for a lost token makes another', async () => {
  const home = await newHome()
  home.configure({})
  await home.hub('migrate')
  const made = await home.hub(...commandBehind('docs/commands.md', /# A user who may do everything\n/), '--json')
  assert.is(made.code, 0, made.stderr)
  const { user } = JSON.parse(made.stdout)
  for (const list of ACCESS_LISTS) assert.equal(user[list], ['*'], list)
  assert.equal([user.llmAccess, user.llmModels], [true, ['*']])
  await home.hub('user', 'create', '--name', 'admin', '--role', 'admin')
  const again = await home.hub(...commandBehind('docs/troubleshoot.md', /token is lost \| `/))
  assert.is(again.code, 0, again.stderr)
  assert.match(again.stdout, /hbk_/)
})

test('the example for logrotate names the unit, and a directory that the unit may write to', () => {
  const unit = text('deploy/systemd/collections-hub.service')
  const [, state] = /^StateDirectory=(\S+)$/m.exec(unit) ?? []
  const page = text('docs/monitoring.md')
  assert.match(page, `/var/lib/${state}/hub.log {`)
  assert.match(page, '--kill-whom=main collections-hub.service')
})

test('the page of backups says which command has no --json, and a day given as --until is in it to its end', async () => {
  const page = text('docs/backup.md')
  assert.match(page, 'With `--json`, all but `follow` answer')
  const home = await newHome()
  home.configure({})
  assert.equal((await home.here('backup', 'follow', 'files', '--json')).code, 2)
  assert.match(page, 'a date is the end of that day in UTC')
  const { moment } = timeValue('--until', '2026-01-31', 'last', calendarOf(undefined))
  assert.equal(moment, { time: '2026-01-31T23:59:59.999Z' })
})

test('no block for a shell has a comment: zsh at a prompt takes it for words of the command', () => {
  const names = readdirSync(new URL('../../../docs/', import.meta.url)).filter((name) => name.endsWith('.md'))
  for (const page of ['README.md', ...names.map((name) => `docs/${name}`)]) {
    for (const [, block = ''] of text(page).matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```$/gm))
      assert.not.match(block, /(?:^|\s)#/m, page)
  }
})

test.run()
