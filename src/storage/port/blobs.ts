/**
 * Bytes beside the log by their sha256 in hexadecimal digits: what rows refer to and no row should carry. At most `LIMITS.blob`
 * bytes each; keys and sizes are checked. Under a key there is one thing only, so whoever puts it again changes nothing. Where they
 * are not in the database, every method throws `BlobsUnavailable` when they cannot be reached.
 */
export interface BlobStore {
  get(key: string): Promise<Buffer | null>
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The keys above `after`, ascending: at most `limit`, and `LIMITS.blobPage`. */
  list(after: string, limit: number): Promise<readonly string[]>
  /** Nothing where there is none. */
  delete(key: string): Promise<void>
}

/** Why blobs that are in object storage cannot be had: nobody answers, or what is asked is refused, not there, or elsewhere. */
export type BlobsTrouble = 'silent' | 'refused' | 'noBucket' | 'elsewhere'

const TROUBLES: Readonly<Record<BlobsTrouble, string>> = {
  silent: 'The object storage does not answer.',
  refused: 'The object storage refuses what it is asked for.',
  noBucket: 'The object storage has no such bucket.',
  elsewhere: 'The bucket is in another region, or at another endpoint.'
}

/** Object storage could not be used. What was asked may or may not have happened. Nothing else of the hub depends on it. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'

  constructor(
    readonly why: BlobsTrouble,
    options?: ErrorOptions
  ) {
    super(TROUBLES[why], options)
  }
}
