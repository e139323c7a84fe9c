import { hash } from 'node:crypto'
import { codec } from '../../../commands/index.js'
import { avatar } from '../../../commands/people/avatar/avatar.js'
import { isImageShown } from '../../../queries/avatars.js'
import { giveWay } from '../../lib/turns.js'
import { decoded } from '../../log/codec.js'
import type { StoredEvent } from '../../log/event.js'
import type { Storage } from '../../storage/storage.js'
import type { Image } from './format.js'
import { partsOf } from './read.js'

const NAMING: readonly string[] = ['AvatarChanged', 'HubAvatarChanged']

/**
 * The images that the events of a file name. A file holds those that are still there when it is written: whatever is shown at
 * the end of a set of files was named in one of them last, and was there then.
 */
export class NamedImages {
  readonly #keys = new Set<string>()

  see(event: StoredEvent): void {
    if (!NAMING.includes(event.type) || event.payload.text === null) return
    const { image } = avatar.parse(decoded(event, codec).data)
    if (image) this.#keys.add(image.sha256)
  }

  /** Those that are there. */
  async *in({ blobs }: Pick<Storage, 'blobs'>): AsyncGenerator<Image> {
    for (const sha256 of this.#keys) {
      const bytes = await blobs.get(sha256)
      if (bytes) yield { sha256, base64: bytes.toString('base64') }
      await giveWay()
    }
  }
}

/** True where the bytes of an image are those that its name says. */
export function isWholeImage({ sha256, base64 }: Image): boolean {
  return hash('sha256', Buffer.from(base64, 'base64'), 'hex') === sha256
}

/**
 * Puts those images of a backup beside the log that somebody shows, and takes away the others, which a restore of its beginning may
 * have put there. Returns how many are shown.
 */
export async function restoreImages(storage: Storage, files: readonly string[]): Promise<number> {
  const { generation } = await storage.head()
  const rows = storage.rows(generation)
  const restored = new Set<string>()
  for (const file of files) {
    for await (const part of partsOf(file)) {
      if (part.kind !== 'image' || restored.has(part.image.sha256)) continue
      const { sha256, base64 } = part.image
      if (await isImageShown(rows, sha256)) {
        await storage.blobs.put(sha256, Buffer.from(base64, 'base64'))
        restored.add(sha256)
      } else await storage.blobs.delete(sha256)
    }
  }
  return restored.size
}
