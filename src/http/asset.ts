import { compressedOnce } from './compress.js'
import { type Reply, tagged } from './reply.js'

/** A file of a page as it is sent: its bytes, what they are, their tag, and their compressed forms, which are kept. */
export interface Asset extends Required<Pick<Reply, 'contentType' | 'etag' | 'packed'>> {
  readonly body: Buffer
}

export function assetOf(contentType: string, body: Buffer): Asset {
  const { etag } = tagged(body)
  // A font is compressed as it is.
  const packed = contentType.startsWith('font/') ? async () => null : compressedOnce(body)
  return { contentType, body, etag, packed }
}
