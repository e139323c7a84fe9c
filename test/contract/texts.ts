import * as assert from 'uvu/assert'
import { canonicalJson } from '../../src/log/canonical.js'
import { isIntact, seal } from '../../src/log/chain.js'
import { commitAfter, puts } from './commits.js'
import type { Contract } from './storage.js'
import { thing, things } from './tables.js'

const TEXTS: Readonly<Record<string, string>> = {
  'control characters and NUL': '\0\u0001\b\t\n\r\u001f\u007f\u2028',
  'lone surrogates': 'a\ud800b\udc00c',
  'astral and combining characters': '\u{1f600}\u{10ffff} e\u0301 \ufeff',
  'quotes and backslashes': `'"\\ \\u0000 \\x00 $1 ? %s --`,
  'one MiB': 'ä0123456789'.repeat(95_326)
}

/** Bodies and payloads are JSON texts, which come back character by character. */
export function textContract({ test, fresh }: Contract): void {
  for (const [name, text] of Object.entries(TEXTS)) {
    test(`a JSON text with ${name} comes back as it was stored`, async () => {
      const storage = await fresh()
      const payload = seal(canonicalJson({ text }))
      const body = JSON.stringify({ text })
      const ops = puts(things, [thing('a', { body, note: body })])
      assert.is(
        await storage.commit(commitAfter(await storage.head(), [{ payload, who: seal(body) }], ops)),
        'committed'
      )
      const [event] = await storage.readLog(0, 1)
      assert.equal(event?.payload, payload)
      assert.ok(event && isIntact(event.payload) && isIntact(event.who))
      assert.is(JSON.parse(event?.payload.text ?? '').text, text)
      const row = await storage.rows(1).get(things, 'a')
      assert.is(row?.body, body)
      assert.is(row?.note, body)
    })
  }

  test('a sealed text may be gone', async () => {
    const storage = await fresh()
    const erased = { ...seal('x'), text: null, salt: null }
    await storage.commit(commitAfter(await storage.head(), [{ payload: erased, who: erased }]))
    const [event] = await storage.readLog(0, 1)
    assert.equal([event?.payload, event?.who], [erased, erased])
  })
}
