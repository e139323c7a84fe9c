import { type IncomingMessage, request } from 'node:http'
import zlib from 'node:zlib'
import * as assert from 'uvu/assert'
import { chosenEncoding, compressed, compressedParts, type Encoding } from '../../src/http/compress.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

const DECODE = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync } as const

let path = ''
const { test, world } = hubSuite('compressed answers', sqlite)
test.before(async () => {
  const id = await world.collection()
  for (let i = 0; i < 20; i++) await world.request(id)
  path = `/collections/${id}/requests`
})

/** What comes over the network, as it comes. */
async function raw(asked: string, headers: Readonly<Record<string, string>> = {}) {
  const sent = { ...headers, authorization: `Bearer ${world.owner.token}` }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${world.hub.url}${asked}`, { headers: sent }, resolve).on('error', reject).end()
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }
}

for (const encoding of ['gzip', 'br'] as const) {
  test(`a list as ${encoding}: the same records and tag in fewer bytes`, async () => {
    const plain = await raw(path)
    assert.is(plain.headers['content-encoding'], undefined)
    for (const time of ['first', 'second']) {
      const packed = await raw(path, { 'accept-encoding': encoding })
      assert.is(packed.headers['content-encoding'], encoding, time)
      assert.is(packed.headers['content-length'], String(packed.bytes.length))
      assert.is(packed.headers.etag, plain.headers.etag)
      assert.ok(packed.bytes.length * 4 < plain.bytes.length, `${packed.bytes.length} of ${plain.bytes.length}`)
      assert.ok(DECODE[encoding](packed.bytes).equals(plain.bytes))
    }
    assert.is(plain.headers.vary, 'Accept-Encoding')
  })
}

test('the tag of a compressed answer is known again in every form, and matches for a change', async () => {
  const { etag = '' } = (await raw(path, { 'accept-encoding': 'gzip' })).headers
  for (const accept of ['gzip', 'br', 'identity']) {
    const known = await raw(path, { 'accept-encoding': accept, 'if-none-match': etag })
    assert.equal([known.status, known.bytes.length, known.headers.vary], [304, 0, 'Accept-Encoding'])
  }
  const content = 'long text '.repeat(500)
  const id = await world.make('snippets', { name: 'S', code: content })
  const one = await raw(`/snippets/${id}`, { 'accept-encoding': 'gzip' })
  assert.is(one.headers['content-encoding'], 'gzip')
  const body = { name: 'S', code: 'short', scope: 'any' }
  succeeded(await world.by(world.owner).put(`/snippets/${id}`, body, { 'if-match': one.headers.etag }))
})

test('a change is in the next compressed answer', async () => {
  const id = await world.collection()
  for (let i = 0; i < 8; i++) {
    await world.request(id)
    const { bytes } = await raw(`/collections/${id}/requests`, { 'accept-encoding': 'gzip' })
    if (i > 3) assert.is(JSON.parse(String(zlib.gunzipSync(bytes))).requests.length, i + 1)
  }
})

test('a list in parts is compressed part by part', async () => {
  const id = await world.collection()
  const content = 'é"'.repeat(300_000)
  for (let i = 0; i < 4; i++) await world.make(`collections/${id}/documents`, { name: `D${i}`, content })
  const list = `/collections/${id}/documents`
  const plain = await raw(list)
  assert.is(plain.headers['content-length'], undefined)
  for (const encoding of ['gzip', 'br'] as const) {
    const packed = await raw(list, { 'accept-encoding': encoding })
    assert.equal([packed.headers['content-encoding'], packed.headers.vary], [encoding, 'Accept-Encoding'])
    assert.ok(DECODE[encoding](packed.bytes).equals(plain.bytes))
    assert.ok(packed.bytes.length * 20 < plain.bytes.length)
  }
})

test('what is small, is an answer to a change or is a stream of events is sent as it is', async () => {
  const accept = { 'accept-encoding': 'gzip, br' }
  const session = await raw('/auth/session', accept)
  assert.equal([session.headers['content-encoding'], session.headers.vary], [undefined, undefined])
  const body = { name: 'Long', code: 'x'.repeat(5000) }
  const made = await world.hub.send({
    method: 'POST',
    path: '/snippets',
    token: world.owner.token,
    body,
    headers: accept
  })
  assert.is(made.headers['content-encoding'], undefined)
  const user = { name: 'n'.repeat(400), role: 'user' }
  const secret = await world.hub.send({
    ...{ method: 'POST', path: '/admin/users', token: world.admin.token, body: user, headers: accept }
  })
  assert.ok(secret.text.length > LIMITS.uncompressed.max, secret.text)
  assert.is(secret.headers['content-encoding'], undefined)
  const stop = new AbortController()
  const asked = { headers: { ...accept, authorization: `Bearer ${world.owner.token}` }, signal: stop.signal }
  const stream = await fetch(`${world.hub.url}/changes`, asked)
  assert.is(stream.headers.get('content-encoding'), null)
  stop.abort()
})

test.run()

const unit = suite('compression')

for (const [header, chosen] of [
  [undefined, null],
  ['', null],
  ['identity', null],
  ['deflate', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip;q=0', null],
  ['gzip;q=0.5', 'gzip'],
  ['identity;q=1, gzip;q=0.5', null],
  ['gzip;q=0.8, br;q=0.9', 'br'],
  ['gzip;q=0.9, br;q=0.8', 'gzip'],
  ['gzip, br', 'br'],
  ['br;q=0, *', chosenEncoding('zstd') ?? 'gzip'],
  [';;q=,', null]
] as const) {
  unit(`Accept-Encoding: ${header}: ${chosen ?? 'as it is'}`, () => assert.is(chosenEncoding(header), chosen))
}

unit('zstd is offered where Node has it', () => {
  assert.is(chosenEncoding('zstd'), 'zstdCompress' in zlib ? 'zstd' : null)
})

unit('what would not become smaller is left as it is', async () => {
  assert.is(await compressed('gzip', Buffer.from('x')), null)
})

unit('so many at once are compressed, and further ones are not', async () => {
  const bytes = Buffer.alloc(100_000)
  const all = await Promise.all(Array.from({ length: LIMITS.compressions.max + 3 }, () => compressed('gzip', bytes)))
  assert.is(all.filter((packed) => packed === null).length, 3)
  assert.ok(await compressed('gzip', bytes))
})

async function* some(count: number) {
  for (let i = 0; i < count; i++) yield Buffer.from(`part ${i} `)
}

unit('each part is given out before the next is asked for', async () => {
  const encoding: Encoding = 'gzip'
  let made = 0
  const counted = async function* () {
    for await (const part of some(5)) {
      made++
      yield part
    }
  }
  const parts = compressedParts(encoding, counted)
  const unzip = zlib.createGunzip()
  let text = ''
  unzip.on('data', (chunk: Buffer) => {
    text += chunk
  })
  for await (const packed of parts?.() ?? []) {
    await new Promise((resolve) => unzip.write(packed, resolve))
    // All that was made is out.
    assert.ok(text.endsWith(`part ${made - 1} `), text)
  }
  assert.is(text, 'part 0 part 1 part 2 part 3 part 4 ')
})

unit('a client that leaves, or a part that cannot be made, gives its place back', async () => {
  const { max } = LIMITS.compressedStreams
  const failing = async function* () {
    yield* some(1)
    throw new Error('gone')
  }
  for (let i = 0; i < max + 1; i++) {
    const left = compressedParts('gzip', () => some(3))
    assert.ok(left)
    for await (const _ of left?.() ?? []) break
    const broken = compressedParts('br', failing)
    try {
      for await (const _ of broken?.() ?? []);
      assert.unreachable()
    } catch (error) {
      assert.is(error instanceof Error && error.message, 'gone')
    }
  }
})

unit.run()
