import { hash } from 'node:crypto'
import type { ImageRef } from '../../../commands/people/avatar/avatar.js'
import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { gifSize, jpegSize, pngSize, type ReadSize, type Size, webpSize } from './sizes.js'

/** An image that somebody has sent: what the log says of it, and its bytes. */
export interface SentImage {
  readonly ref: ImageRef
  readonly bytes: Buffer
}

/** What is taken, and how each begins and ends. Nothing that could hold a script. */
const FORMATS: ReadonlyMap<string, { readonly name: string; readonly sizeOf: ReadSize }> = new Map([
  ['image/jpeg', { name: 'JPEG', sizeOf: jpegSize }],
  ['image/png', { name: 'PNG', sizeOf: pngSize }],
  ['image/webp', { name: 'WebP', sizeOf: webpSize }],
  ['image/gif', { name: 'GIF', sizeOf: gifSize }]
])

const HEAD = /^data:(image\/[\w.+-]{1,100});base64,/i
const WHOLE_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The image in a data URL. Throws the refusal of what is none, too large, or not what it says that it is. */
export function sentImage(dataUrl: string): SentImage {
  const [head = '', sent = ''] = dataUrl.startsWith('data:image') ? (HEAD.exec(dataUrl) ?? []) : []
  if (head === '') throw errors.avatarImageMalformed()
  const mediaType = sent.toLowerCase().replace('image/jpg', 'image/jpeg')
  const format = FORMATS.get(mediaType)
  if (!format) throw errors.avatarImageTypeUnknown(sent)
  const payload = dataUrl.slice(head.length).replace(/\s+/g, '')
  if (payload === '') throw errors.avatarImageEmpty()
  if (!WHOLE_BASE64.test(payload)) throw errors.avatarImageMalformed()
  const bytes = Buffer.from(payload, 'base64')
  if (bytes.length === 0) throw errors.avatarImageEmpty()
  if (bytes.length > LIMITS.blob.max) throw errors.avatarImageTooLarge()
  requireReadable(bytes, format)
  return imageOf(bytes, mediaType)
}

/** An image as somebody else has kept it, as what it says that it is or else as what it is; null for what is never shown here. */
export function storedImage(bytes: Buffer, mediaType: string): SentImage | null {
  if (bytes.length > LIMITS.blob.max) return null
  for (const type of [mediaType.toLowerCase().replace('image/jpg', 'image/jpeg'), ...FORMATS.keys()]) {
    const size = FORMATS.get(type)?.sizeOf(bytes)
    if (size && isShowable(size)) return imageOf(bytes, type)
  }
  return null
}

function imageOf(bytes: Buffer, mediaType: string): SentImage {
  return { ref: { sha256: hash('sha256', bytes, 'hex'), mediaType, bytes: bytes.length }, bytes }
}

function isShowable({ width, height }: Size): boolean {
  return width >= 1 && height >= 1 && width <= LIMITS.imageSide.max && height <= LIMITS.imageSide.max
}

function requireReadable(bytes: Buffer, { name, sizeOf }: { readonly name: string; readonly sizeOf: ReadSize }): void {
  const size = sizeOf(bytes)
  if (!size || size.width < 1 || size.height < 1) throw errors.avatarImageUnreadable(name)
  const { max } = LIMITS.imageSide
  if (size.width > max || size.height > max) throw errors.avatarImageTooWide()
}
