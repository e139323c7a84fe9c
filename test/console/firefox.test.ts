import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { WebSocket } from 'undici'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { connectHub } from '../../clients/typescript/src/index.js'
import { BUILT_CONSOLE } from '../../src/http/console/files.js'
import { until } from '../http/support.js'
import { afterwards } from '../support/afterwards.js'
import { firstOnPath } from '../support/chromium.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { startConsoleHub } from './support/hub.js'

const [CONTROL, ENTER] = ['\uE009', '\uE007']
const STORY = 'somebody signs in, types over a text, saves it, and signs out by a menu; nothing is reported'
const test = suite('the console in Firefox')
const firefox = firstOnPath(['firefox-esr', 'firefox'])

const message = z.object({
  id: z.number().optional(),
  type: z.string(),
  params: z.object({ level: z.string(), text: z.string().nullable() }).partial().optional(),
  result: z.unknown().optional()
})
const tree = z.object({ contexts: z.tuple([z.object({ context: z.string() })]) })
const evaluated = z.object({ result: z.object({ value: z.unknown().optional(), sharedId: z.string().optional() }) })

/** A tab of Firefox with a new profile, spoken to by WebDriver BiDi: playwright-core wants a newer one than Debian has. */
async function firefoxTab(path: string) {
  const { path: profile } = await temporaryDirectory()
  const browser = spawn(path, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile }
  })
  afterwards(async () => {
    if (browser.kill()) await once(browser, 'exit')
  })
  const address = await new Promise<string>((resolve, reject) => {
    browser.once('error', reject).once('exit', () => reject(new Error('Firefox has ended.')))
    createInterface(browser.stderr).on('line', (line) => {
      const [, found] = /listening on (ws:\S+)/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const socket = new WebSocket(`${address}/session`)
  const errors: string[] = []
  const waiting = new Map<number, (answer: z.infer<typeof message>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const told = message.parse(JSON.parse(String(data)))
    if (told.id !== undefined) waiting.get(told.id)?.(told)
    else if (told.params?.level === 'error') errors.push(String(told.params.text))
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    const id = waiting.size
    const answered = new Promise<z.infer<typeof message>>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, result } = await answered
    assert.is(type, 'success', method)
    return result
  }
  await ask('session.new', { capabilities: {} })
  await ask('session.subscribe', { events: ['log.entryAdded'] })
  const [{ context }] = tree.parse(await ask('browsingContext.getTree')).contexts
  const evaluate = async (expression: string) =>
    evaluated.parse(await ask('script.evaluate', { expression, target: { context }, awaitPromise: false })).result
  const act = (type: string, actions: readonly object[]) =>
    ask('input.performActions', { context, actions: [{ type, id: type, actions }] })
  const hold = (keys: string) => {
    const each = (type: string) => [...keys].map((value) => ({ type, value }))
    return act('key', [...each('keyDown'), ...each('keyUp')])
  }
  return {
    errors,
    goTo: (url: string) => ask('browsingContext.navigate', { context, url, wait: 'complete' }),
    async click(element: string) {
      const sharedId = await until(async () => (await evaluate(element)).sharedId ?? null)
      const move = { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } }
      await act('pointer', [move, ...['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))])
    },
    hold,
    press: async (keys: string) => {
      for (const key of keys) await hold(key)
    },
    sees: (text: string) =>
      until(async () => (await evaluate(`document.body.innerText.includes('${text}')`)).value === true || null)
  }
}

const named = (what: string, name: string) =>
  `[...document.querySelectorAll('${what}')].find((one) => (one.ariaLabel ?? one.textContent).startsWith('${name}'))`
const editor = `[...document.querySelectorAll('*')].map((one) => one.shadowRoot?.querySelector('.cm-content')).find(Boolean)`

if (firefox === undefined) test.skip(STORY, 'no firefox-esr, firefox on the path')
else {
  test(STORY, async () => {
    const hub = await startConsoleHub({ consoleDirectory: BUILT_CONSOLE })
    afterwards(() => hub.close())
    const account = { name: 'Mara', role: 'user', snippetAccess: ['*'] } as const
    const admin = connectHub({ url: hub.url, token: hub.admin.token })
    const { secret } = (await admin.request('POST', '/admin/users', { body: account })).body
    const mara = connectHub({ url: hub.url, token: secret })
    const { id } = (await mara.request('POST', '/snippets', { body: { name: 'Tidy', code: 'before()' } })).body
    const tab = await firefoxTab(firefox)
    await tab.goTo(`${hub.url}/console/#/snippets/${id}?edit=yes`)
    await tab.click(`document.querySelector('input')`)
    await tab.press(secret + ENTER)
    await tab.click(editor)
    await tab.hold(`${CONTROL}a`)
    await tab.press('after()')
    await tab.hold(`${CONTROL}s`)
    await tab.sees('Saved.')
    assert.is((await mara.request('GET', '/snippets/{id}', { path: { id } })).body.code, 'after()')
    await tab.click(named('button', 'Signed in as Mara'))
    await tab.click(named('[role=menuitem]', 'Sign out'))
    await tab.sees('Token')
    assert.equal(tab.errors, [])
  })
}

test.run()
