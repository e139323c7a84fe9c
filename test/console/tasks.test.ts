import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { finger, type Hands, keys } from './support/hands.js'
import { field } from './support/requests.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('a day of somebody who edits')

interface At {
  readonly page: Page
  readonly hands: Hands
  /** What the collection of this day is called. */
  readonly own: string
}
type Task = readonly [what: string, act: (at: At) => Promise<void>]

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first().waitFor()

/** Does what the palette offers, or opens what it finds. */
async function palette({ page, hands }: At, text: string, option: RegExp) {
  const input = page.getByRole('combobox', { name: 'Search' })
  for (let tries = 0; tries < 10 && !(await input.isVisible()); tries++) await hands.use(button(page, /^Search/))
  await hands.type(input, text)
  const found = page.getByRole('option', { name: option }).first()
  await found.waitFor()
  // The line has the focus: its arrows choose, or a finger does.
  for (let tries = 0; tries < 20 && (await found.getAttribute('aria-selected')) !== 'true'; tries++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

async function more({ page, hands }: At, kind: string, item: string) {
  await hands.use(button(page, `More with this ${kind}`))
  await hands.use(page.getByRole('menuitem', { name: item, exact: true }))
}

async function edit({ page, hands }: At) {
  await hands.use(page.getByRole('link', { name: 'Edit', exact: true }))
  await field(page, 'Name').waitFor()
}

async function save({ page, hands }: At) {
  await hands.use(button(page, 'Save'))
  await page.getByText('Saved.', { exact: true }).last().waitFor()
}

async function named({ page, hands }: At, name: string) {
  await hands.type(page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), name)
  await hands.use(inDialog(page, 'Make it'))
}

async function make(at: At, where: string, what: string, name: string) {
  await at.hands.use(button(at.page, where))
  await at.hands.use(at.page.getByRole('menuitem', { name: what, exact: true }))
  await named(at, name)
}

/** Thirty things that somebody does on a day, one after the other. */
const TASKS: readonly Task[] = [
  [
    'sign in',
    async ({ page, hands }) => {
      await hands.type(field(page, 'Token'), team.mara.token)
      await hands.use(button(page, 'Sign in'))
      await said(page, 'Signed in as Mara Lindqvist.')
    }
  ],
  ['find a request by a word, and open it', (at) => palette(at, 'refund a charge', /Refunds? /)],
  [
    'make a collection',
    async (at) => {
      await palette(at, 'new collection', /^New collection/)
      await named(at, at.own)
      await heading(at.page, at.own)
    }
  ],
  [
    'give it a header for all its requests',
    async (at) => {
      await at.hands.use(button(at.page, 'Add a header'))
      await at.hands.type(field(at.page, 'Name, header 1'), 'X-Team')
      await at.hands.type(field(at.page, 'Value, header 1'), 'payments')
      await save(at)
    }
  ],
  [
    'make a folder in it',
    async (at) => {
      await make(at, 'New in this collection', 'Folder', 'Drafts')
      await heading(at.page, 'Drafts')
    }
  ],
  [
    'make a request in the folder',
    async (at) => {
      await make(at, 'New in this folder', 'Request', 'First')
      await field(at.page, 'URL').waitFor()
    }
  ],
  [
    'fill in its address and a parameter',
    async (at) => {
      await at.hands.type(field(at.page, 'URL'), 'https://api.example.com/v1/things?page=1')
      await field(at.page, 'Value, parameter 1').waitFor()
    }
  ],
  [
    'complete a variable',
    async (at) => {
      await at.hands.type(field(at.page, 'Value, parameter 1'), '')
      await at.page.keyboard.type('{{')
      // This collection has none: nothing is in the way.
      await at.page.keyboard.type('page}}')
      assert.match(await field(at.page, 'URL').inputValue(), /page=\{\{page\}\}$/)
    }
  ],
  [
    'choose a type of body, and write one',
    async (at) => {
      await at.hands.choose(at.page.getByRole('combobox', { name: 'Type of body' }), 'JSON')
      await at.hands.type(field(at.page, 'Body'), '{"amount": 1}')
      await at.hands.use(button(at.page, 'Tidy up'))
    }
  ],
  ['save it', save],
  [
    'change it again',
    async (at) => {
      await edit(at)
      await at.hands.type(field(at.page, 'URL'), 'https://api.example.com/v2/things')
      await save(at)
    }
  ],
  [
    'see what the last change was',
    async ({ page, hands }) => {
      await hands.use(
        page
          .getByRole('complementary', { name: 'History' })
          .getByRole('link', { name: /^changed/ })
          .first()
      )
      await said(page, 'What differs between two versions')
    }
  ],
  [
    'put the version before back',
    async ({ page, hands }) => {
      await hands.use(page.getByRole('region', { name: 'Before' }).getByRole('button', { name: 'Restore…' }))
      await hands.use(inDialog(page, 'Restore'))
      await said(page, /is restored\.$/)
    }
  ],
  [
    'say something about it',
    async ({ page, hands }) => {
      await hands.type(page.getByLabel('Begin a discussion'), 'Is this right?')
      await hands.use(button(page, 'Comment'))
      await said(page, 'Is this right?')
    }
  ],
  [
    'answer',
    async ({ page, hands }) => {
      await hands.use(button(page, 'Answer').first())
      await hands.type(page.getByRole('textbox', { name: /answer/i }).first(), 'It is.')
      await hands.use(page.getByRole('main').getByRole('button', { name: 'Answer', exact: true }).last())
      await said(page, 'It is.')
    }
  ],
  [
    'copy it as a command',
    async ({ page, hands }) => {
      await hands.use(button(page, 'Copy as…'))
      await page.getByRole('dialog').locator('pre').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  ],
  [
    'duplicate it',
    async (at) => {
      await more(at, 'request', 'Duplicate')
      await field(at.page, 'Name').waitFor()
      await at.hands.use(button(at.page, 'Close'))
      await heading(at.page, 'First (copy)')
    }
  ],
  [
    'rename it',
    async (at) => {
      await more(at, 'request', 'Rename…')
      await at.hands.type(at.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'Second')
      await at.hands.use(inDialog(at.page, 'Rename'))
      await heading(at.page, 'Second')
    }
  ],
  [
    'move it out of its folder',
    async (at) => {
      await more(at, 'request', 'Move…')
      await at.hands.choose(at.page.getByRole('combobox', { name: 'Folder' }), 'None: directly in the collection')
      await at.hands.use(inDialog(at.page, 'Move'))
      await said(at.page, /“Second” is 1 of 1 in/)
    }
  ],
  [
    'move it to another collection',
    async (at) => {
      await more(at, 'request', 'Move…')
      await at.hands.choose(at.page.getByRole('combobox', { name: 'Collection' }), 'Onboarding')
      await at.hands.use(inDialog(at.page, 'Move'))
      await said(at.page, '“Second” is in another collection now.')
    }
  ],
  [
    'delete it',
    async (at) => {
      await more(at, 'request', 'Delete…')
      await at.hands.use(inDialog(at.page, 'Delete'))
      await said(at.page, '“Second” is deleted.')
    }
  ],
  [
    'bring it back',
    async (at) => {
      await palette(at, 'go deleted', /^Go to Deleted/)
      await at.hands.use(button(at.page, 'Undelete Second').first())
      await said(at.page, '“Second” is back')
    }
  ],
  [
    'make an environment with a variable',
    async (at) => {
      await palette(at, 'new environment', /^New environment/)
      await named(at, `${at.own} environment`)
      await at.hands.use(button(at.page, 'Add a variable'))
      await at.hands.type(field(at.page, 'Name, variable 1'), 'page')
      await at.hands.type(field(at.page, 'Value, variable 1'), '7')
      await save(at)
    }
  ],
  [
    'compare environments',
    async (at) => {
      await palette(at, 'go environments side', /side by side/)
      await at.page.getByRole('region', { name: 'Variables' }).waitFor()
    }
  ],
  [
    'see what a request sends in that environment',
    async (at) => {
      await palette(at, 'First', /^(GET )?First/)
      await at.hands.choose(at.page.getByRole('combobox', { name: 'Environment' }), `${at.own} environment`)
      await said(at.page, 'all are set')
    }
  ],
  [
    'import a command',
    async ({ page, hands, ...at }) => {
      await palette({ page, hands, ...at }, 'import a file', /^Import a file/)
      await hands.type(
        page.getByRole('textbox', { name: 'Or paste it' }),
        "curl https://shop.test/cart -H 'accept: text/plain'"
      )
      await hands.use(button(page, 'See what it brings'))
      await hands.use(inDialog(page, 'Import'))
      await said(page, /^Imported into/)
    }
  ],
  [
    'export a collection',
    async (at) => {
      await palette(at, at.own, new RegExp(`^${at.own}`))
      await heading(at.page, at.own)
      await more(at, 'collection', 'Export…')
      await at.hands.use(inDialog(at.page, 'Save'))
      await said(at.page, /^Saved /)
    }
  ],
  [
    'make it a favourite',
    async ({ page, hands, own }) => {
      await hands.use(
        page
          .getByRole('link', { name: 'Collections', exact: true })
          .and(page.getByRole('main').getByRole('link'))
          .first()
      )
      await hands.use(button(page, `Favourite: ${own}`))
      await page.getByRole('button', { name: `Favourite: ${own}`, pressed: true }).waitFor()
    }
  ],
  [
    'choose a theme',
    async (at) => {
      await palette(at, 'theme dark', /dark/)
      await at.page.locator('html[data-theme=dark]').waitFor()
      await palette(at, 'theme device', /device/)
    }
  ],
  [
    'sign out',
    async (at) => {
      await palette(at, 'sign out', /^Sign out/)
      await field(at.page, 'Token').waitFor()
    }
  ]
]

for (const [how, handsOf, options, own] of [
  ['by keyboard alone', keys, {}, 'Keyboard'],
  ['on a phone', finger, { width: 375, height: 800, hasTouch: true }, 'Phone']
] as const) {
  test(`${TASKS.length} tasks of a day are done ${how}`, async ({ open, expectFailures }) => {
    // The page may still ask for what it shows when it is gone.
    expectFailures(/404/)
    // With all that moves, as most people have it.
    const page = await open('#/', { reducedMotion: 'no-preference', ...options })
    const at = { page, hands: handsOf(page), own }
    for (const [what, act] of TASKS) {
      try {
        await act(at)
      } catch (error) {
        throw new Error(`${how}: ${what}`, { cause: error })
      }
    }
  })
}

run()
