import { hash } from 'node:crypto'
import { giveWay } from '../../lib/turns.js'
import type { BlobStore } from '../../storage/storage.js'

/** Where images are, and where they are to be. */
export interface Move {
  readonly from: BlobStore
  readonly to: BlobStore
  /** Is asked to delete an image where nobody shows it: somebody may have ceased to while it was moved. */
  readonly release: (sha256: string) => Promise<void>
  /** True where it is only looked what there is. */
  readonly dryRun: boolean
}

/** What a move came to. */
export interface Moved {
  readonly images: number
  readonly bytes: number
  /** Those that are not what their name says, which stay where they are. */
  readonly damaged: readonly string[]
}

/** An image is not what was just put there. */
export class ImageNotMoved extends Error {
  override readonly name = 'ImageNotMoved'

  constructor(sha256: string) {
    super(`The image ${sha256} could not be read back where it was put. It stays where it was.`)
  }
}

const PAGE = 500

/**
 * Moves every image from one place to the other: each is read back before it is deleted where it was, so whoever is interrupted has
 * lost nothing and goes on by running it again. A hub that knows both places shows them all the time. Throws `ImageNotMoved`, and what the
 * places throw.
 */
export async function moveImages({ from, to, release, dryRun }: Move): Promise<Moved> {
  let images = 0
  let bytes = 0
  const damaged: string[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const keys: readonly string[] = await from.list(after, PAGE)
    for (const key of keys) {
      const image = await from.get(key)
      if (!image) continue
      if (hash('sha256', image, 'hex') !== key) {
        damaged.push(key)
        continue
      }
      if (!dryRun) await moveOne(key, image, { from, to, release })
      images++
      bytes += image.length
      await giveWay()
    }
    after = keys.at(-1)
  }
  return { images, bytes, damaged }
}

async function moveOne(key: string, image: Buffer, { from, to, release }: Pick<Move, 'from' | 'to' | 'release'>) {
  await to.put(key, image)
  if (!(await to.get(key))?.equals(image)) throw new ImageNotMoved(key)
  await from.delete(key)
  await release(key)
}
