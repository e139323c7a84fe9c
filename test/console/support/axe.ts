import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { z } from 'zod'

/** What has to hold: WCAG 2.2 at level AA, with all that came before. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const CHECK = `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html.slice(0, 300), failureSummary].join('\\n'))))`

const texts = z.array(z.string())

/**
 * Asserts that axe finds nothing that keeps people from using the page as it is now. It looks from a world of its own beside the
 * page's scripts, which the policy of the page does not reach.
 */
export async function axe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' })
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      ...{ expression, contextId: world.executionContextId, awaitPromise: true, returnByValue: true }
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  const source = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await evaluate(`${source}; undefined`)
  const found = texts.parse(await evaluate(CHECK))
  await session.detach()
  assert.is(found.length, 0, found.join('\n\n'))
}
