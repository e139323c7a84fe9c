import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { WitnessConfig } from '../../config/types.js'
import { makePrivate } from '../../lib/files.js'
import { keyTextMadeIn, UnusableKey } from '../../lib/keyFile.js'
import { timeout } from '../../lib/timeout.js'
import { canonicalJson } from '../../log/canonical.js'
import type { Head } from '../../log/event.js'
import type { Checkpoint } from './verify.js'

const ORIGIN = 'collections-hub log'
const DOCUMENT_MAX = 100_000

/** Where the log ended once, signed: whoever keeps it can prove later that nothing before it was changed or cut off. */
const signedCheckpoint = z.object({
  origin: z.literal(ORIGIN),
  position: z.int().min(0),
  /** How many events there were: positions have no gaps, so it is the position. */
  count: z.int().min(0),
  chain: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
  /** The raw Ed25519 key, base64url. */
  publicKey: z.string(),
  /** Over the canonical JSON of everything above it, base64url. */
  signature: z.string()
})
export type SignedCheckpoint = z.infer<typeof signedCheckpoint>

/** The output of `hub audit verify --json` will do too: it is a checkpoint that nobody has signed. */
const anyCheckpoint = z.union([
  signedCheckpoint,
  z.object({ position: z.int().min(0), chain: z.string().regex(/^[0-9a-f]{64}$/) })
])

/** The key in a file, which is made, for its owner alone, where there is none. Throws `UnusableKey`. */
export function signingKey(file: string): KeyObject {
  const text = keyTextMadeIn(file, WHAT, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  )
  const key = privateKeyIn(text)
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new UnusableKey(`${WHAT} ${file} must hold a private key of Ed25519 as PEM.`)
}

const WHAT = 'The key of checkpoints'

function privateKeyIn(text: Buffer): KeyObject | null {
  try {
    return createPrivateKey(text)
  } catch {
    return null
  }
}

/** Signs where the log ends. */
export function signCheckpoint({ position, chain }: Head, key: KeyObject, at: string): SignedCheckpoint {
  const publicKey = rawKey(createPublicKey(key))
  const unsigned = { origin: ORIGIN, position, count: position, chain, at, publicKey } as const
  return { ...unsigned, signature: sign(null, Buffer.from(canonicalJson(unsigned)), key).toString('base64url') }
}

/**
 * Reads a checkpoint. Throws where the text is none, where its signature is not right, or where `trustedKey` is given and
 * the checkpoint is not signed with it.
 */
export function readCheckpoint(text: string, trustedKey?: string): z.infer<typeof anyCheckpoint> {
  const checkpoint = anyCheckpoint.parse(JSON.parse(text))
  if (!('signature' in checkpoint)) {
    if (trustedKey !== undefined) throw new Error('The checkpoint is not signed.')
    return checkpoint
  }
  const { signature, ...unsigned } = checkpoint
  if (trustedKey !== undefined && checkpoint.publicKey !== trustedKey)
    throw new Error('The checkpoint is signed with another key.')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: checkpoint.publicKey }, format: 'jwk' })
  if (!verify(null, Buffer.from(canonicalJson(unsigned)), key, Buffer.from(signature, 'base64url')))
    throw new Error('The signature of the checkpoint is wrong.')
  return checkpoint
}

/** A line of the log output holds the checkpoint beside what every line has. */
const logLine = z.object({ checkpoint: z.unknown() })

/** A file holds a checkpoint that cannot be used; the message names the line and says why. */
export class UnusableCheckpoint extends Error {
  override readonly name = 'UnusableCheckpoint'
}

/**
 * The checkpoints in a file: one a line, as the hub prints, appends and logs them, or the one document that `audit verify --json`
 * prints. Throws `UnusableCheckpoint` at the first line that is none, as `readCheckpoint` says.
 */
export async function checkpointsIn(file: string, trustedKey?: string): Promise<readonly Checkpoint[]> {
  const checkpoints: Checkpoint[] = []
  let number = 0
  const take = (text: string) => {
    try {
      const { position, chain } = readCheckpoint(text, trustedKey)
      checkpoints.push({ position, chain })
    } catch (cause) {
      const why =
        cause instanceof Error && /^The /.test(cause.message) ? cause.message : 'It has no position and chain.'
      throw new UnusableCheckpoint(`${file} cannot be used as a checkpoint. Line ${number}: ${why}`, { cause })
    }
  }
  let document = ''
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (document !== '' || line === '{') document += `${line}\n`
    else if (line.trim() !== '') take(ofLogLine(line))
    if (document.length > DOCUMENT_MAX) break
  }
  if (document !== '') take(document)
  return checkpoints
}

function ofLogLine(line: string): string {
  try {
    const { checkpoint } = logLine.parse(JSON.parse(line))
    return checkpoint === undefined ? line : JSON.stringify(checkpoint)
  } catch {
    return line
  }
}

function rawKey(key: KeyObject): string {
  return z.object({ x: z.string() }).parse(key.export({ format: 'jwk' })).x
}

/** Appends a checkpoint to a file, which is made, for its owner alone, where there is none. It is on disk when this resolves. */
export async function appendCheckpoint(file: string, checkpoint: SignedCheckpoint): Promise<void> {
  makePrivate(file)
  const handle = await open(file, 'a+')
  try {
    const before = await endedLine(handle)
    await handle.appendFile(`${before}${JSON.stringify(checkpoint)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const LINE_START = `{"origin":${JSON.stringify(ORIGIN)}`
/** No line of a checkpoint is longer. */
const LINE_MAX = 4096

/**
 * Cuts off the beginning of a checkpoint at the end of a file, which a full disk or a killed process has left there, and returns what
 * has to stand before the next line.
 */
async function endedLine(handle: FileHandle): Promise<'' | '\n'> {
  const { size } = await handle.stat()
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_MAX), 0, LINE_MAX, Math.max(0, size - LINE_MAX))
  const end = buffer.subarray(0, bytesRead)
  const tail = end.subarray(end.lastIndexOf('\n') + 1)
  const text = tail.toString()
  if (text === '') return ''
  if (isWhole(text) || !LINE_START.startsWith(text.slice(0, LINE_START.length))) return '\n'
  await handle.truncate(size - tail.length)
  return ''
}

function isWhole(line: string): boolean {
  try {
    readCheckpoint(line)
    return true
  } catch {
    return false
  }
}

/**
 * Sends a checkpoint to a witness. Rejects where it does not take it within its time, or before `ended`; the message holds neither the
 * headers nor what the witness has answered.
 */
export async function sendToWitness(
  witness: WitnessConfig,
  checkpoint: SignedCheckpoint,
  ended: AbortSignal
): Promise<void> {
  const response = await fetch(witness.url, {
    method: 'POST',
    headers: [...witness.headers.map(([name, value]): [string, string] => [name, value]), JSON_TYPE],
    body: JSON.stringify(checkpoint),
    // It would take the headers to somebody who was never configured.
    redirect: 'error',
    signal: AbortSignal.any([ended, timeout(witness.timeoutSeconds * 1000)])
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The witness answered ${response.status}.`)
}

const JSON_TYPE: [string, string] = ['content-type', 'application/json']
