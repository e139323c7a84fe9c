import {
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  timingSafeEqual
} from 'node:crypto'
import type { Member } from './members.js'

/** What one process says to another of a request that it hands on. */
export interface Vouched {
  readonly address: string
  readonly method: string
  readonly url: string
}

const PURPOSE = 'collections-hub request handed on'
const FORM = /^([0-9a-f-]{36}) (\d{1,15}) (\S{1,64}) ([0-9a-f]{64})$/
/** A text that is older, or by a clock further ahead, is not believed. */
const AGE_MAX_MS = 60_000
const KEYS_MAX = 200

/**
 * Proves from one process to another where a request came from. Each has a key pair that lives as long as it does, and two of them have
 * a secret together that is written down nowhere (X25519), by which the header is authenticated (HMAC-SHA-256).
 */
export class Vouching {
  readonly publicKey: string
  readonly #privateKey: KeyObject
  readonly #secrets = new Map<string, Buffer>()

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('x25519')
    this.publicKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    this.#privateKey = privateKey
  }

  /** The header for a request that goes to `to`. */
  header(from: string, to: Member, request: Vouched, now: number): string {
    return `${from} ${now} ${request.address} ${this.#code(to, from, now, request)}`
  }

  /** The client's address in a header that one of the members has made for this process; null where none did, or not lately. */
  async addressIn(
    text: string,
    find: (id: string) => Promise<Member | null>,
    { method, url }: Omit<Vouched, 'address'>,
    now: number
  ): Promise<string | null> {
    const [, from = '', time = '', address = '', code = ''] = FORM.exec(text) ?? []
    if (code === '' || Math.abs(now - Number(time)) > AGE_MAX_MS) return null
    const member = await find(from)
    if (!member) return null
    const right = this.#code(member, from, Number(time), { address, method, url })
    return timingSafeEqual(Buffer.from(code), Buffer.from(right)) ? address : null
  }

  #code(other: Member, from: string, time: number, { address, method, url }: Vouched): string {
    const text = JSON.stringify([PURPOSE, from, time, address, method, url])
    return createHmac('sha256', this.#secretWith(other)).update(text).digest('hex')
  }

  #secretWith({ publicKey }: Member): Buffer {
    const known = this.#secrets.get(publicKey)
    if (known) return known
    if (this.#secrets.size >= KEYS_MAX) this.#secrets.clear()
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    const secret = diffieHellman({ privateKey: this.#privateKey, publicKey: key })
    this.#secrets.set(publicKey, secret)
    return secret
  }
}
