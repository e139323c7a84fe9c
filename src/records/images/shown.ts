import type { Command } from '../../../commands/index.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { hubsTable } from '../../../commands/tenants/hub/table.js'
import { isImageShown } from '../../../queries/avatars.js'
import { HubError } from '../../errors.js'
import { giveWay } from '../../lib/turns.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import type { ReadStore, Storage } from '../../storage/storage.js'
import type { SentImage } from './sent.js'

/** Where images are, and who shows them. */
export interface Images {
  readonly storage: Pick<Storage, 'blobs'>
  readonly readModel: Pick<ReadModel, 'get' | 'list' | 'current'>
}

/**
 * Runs what makes somebody show an image. Its bytes are there before any row names them. They are put once more afterwards:
 * whoever has just taken the same image away may have found in between that nobody shows it.
 */
export async function withImage<T>(
  at: Images,
  image: SentImage | null | undefined,
  work: () => Promise<T>
): Promise<T> {
  if (!image) return work()
  const { ref, bytes } = image
  const { blobs } = at.storage
  await blobs.put(ref.sha256, bytes)
  try {
    const done = await work()
    await blobs.put(ref.sha256, bytes)
    return done
  } catch (error) {
    // Of what was not refused nobody knows yet whether it happens.
    if (error instanceof HubError) await releaseImage(at, ref.sha256).catch(() => {})
    throw error
  }
}

/** Deletes an image that nobody shows. It is put back where somebody has come to show it meanwhile. */
export async function releaseImage({ storage: { blobs }, readModel }: Images, sha256: string): Promise<void> {
  const isShown = async () => {
    await readModel.current()
    return isImageShown(readModel, sha256)
  }
  if (await isShown()) return
  const bytes = await blobs.get(sha256)
  await blobs.delete(sha256)
  if (bytes && (await isShown())) await blobs.put(sha256, bytes)
}

const PAGE = 1000

/** Deletes every image that nobody shows: what an interruption has left. */
export async function releaseImages(at: Images): Promise<void> {
  const { blobs } = at.storage
  for (let after: string | undefined = ''; after !== undefined; ) {
    const keys: readonly string[] = await blobs.list(after, PAGE)
    for (const key of keys) {
      await releaseImage(at, key)
      await giveWay()
    }
    after = keys.at(-1)
  }
}

/** The image that a command may take away: the one that its account or the hub shows now; null for other commands. */
export async function imageBefore(read: Pick<ReadStore, 'get'>, command: Command): Promise<string | null> {
  switch (command.type) {
    case 'ChangeAvatar':
    case 'UpdateUser':
    case 'DeleteUser':
      return (await read.get(usersTable, command.id))?.image ?? null
    case 'ChangeHubAvatar':
      return (await read.get(hubsTable, command.id))?.image ?? null
    default:
      return null
  }
}
