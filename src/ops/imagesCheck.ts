import type { BlobsTrouble } from '../storage/storage.js'
import { BlobsUnavailable } from '../storage/storage.js'
import { type Check, detailOf, ok } from './check.js'
import type { ContentPorts } from './doctorPorts.js'

/** The bucket of images answers, and takes the key. Whether a hub is ready does not depend on it. */
export const images: Check<ContentPorts> = {
  name: 'images',
  isAboutContents: true,
  async run({ config, storage }) {
    const { driver, place } = config().storage
    if (!place) return [{ state: 'skipped', text: 'Images are in the database.' }]
    const { blobs } = await storage()
    try {
      await blobs.list('', 1)
    } catch (error) {
      if (!(error instanceof BlobsUnavailable)) throw error
      return [{ state: 'failed', text: error.message, advice: ADVICE[error.why], detail: detailOf(error) }]
    }
    return ok(
      driver === 's3'
        ? `The bucket ${place.bucket} answers.`
        : `Images are in the database, and may be in the bucket ${place.bucket}, which answers.`
    )
  }
}

const ADVICE: Readonly<Record<BlobsTrouble, string>> = {
  silent: 'See that it runs, that this machine may reach it, and that storage.endpoint is right.',
  refused:
    'See that storage has a valid accessKeyId and secretAccessKey, which may list, read, write and delete below the prefix, and that the clock is right.',
  noBucket: 'Make the bucket, or name the right one in storage.bucket.',
  elsewhere: 'Set storage.region and storage.endpoint to where the bucket is.'
}
