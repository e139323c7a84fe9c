import { z } from 'zod'
import { bucketEndpoint, integer, isMapping, matching, optionalAs, optionalText, orElse, secret } from './fields.js'

const CLOUD_STORAGE =
  'Cloud Storage is reached as "s3": endpoint https://storage.googleapis.com, region auto, and an HMAC key.'

const driver = z
  .enum(['db', 's3'], {
    error: ({ input }) =>
      `Unsupported storage.driver "${String(input)}". ${input === 'gcs' ? CLOUD_STORAGE : 'Use "db" or "s3".'}`
  })
  .nullish()
  .transform((given) => given ?? 'db')

const bucket = optionalAs(
  matching(/^[A-Za-z0-9][A-Za-z0-9._-]{1,220}[A-Za-z0-9]$/, 'Must be letters, digits, dots, - or _.')
)

const region = optionalAs(matching(/^[a-z0-9-]{1,60}$/, 'Must be the name of a region, such as eu-central-1, or auto.'))

/** What needs no encoding in a URL, and means the same to everybody. */
const prefix = optionalText
  .transform((value = 'avatars') => value.replace(/^\/+|\/+$/g, ''))
  .pipe(
    z
      .string()
      .max(200)
      .regex(
        /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/,
        'Must be names of letters, digits, dots, - or _, with / between them.'
      )
  )

const REQUIRED = ['bucket', 'region', 'accessKeyId', 'secretAccessKey'] as const

/** The `storage` section: where images of avatars are kept. With `db`, a bucket that is named is where they may still be. */
export const storage = z
  .strictObject({
    driver,
    bucket,
    region,
    /** Absent means that of AWS. */
    endpoint: optionalAs(bucketEndpoint),
    accessKeyId: optionalText,
    secretAccessKey: secret(optionalText),
    /** What the name of every object begins with; without slashes around it. */
    prefix,
    /** How long one call may take. */
    timeoutSeconds: orElse(integer(1, 30), 3)
  })
  .superRefine(
    (given, context) => {
      if (given.driver !== 's3' && given.bucket === undefined) return
      const when = given.driver === 's3' ? 'when storage.driver is "s3"' : 'where storage.bucket is given'
      for (const key of REQUIRED)
        if (given[key] === undefined)
          context.addIssue({ code: 'custom', path: [key], message: `storage.${key} is required ${when}.` })
    },
    { when: ({ value }) => isMapping(value) && (value.driver === 'db' || value.driver === 's3') }
  )
  .transform(({ driver, bucket, region, accessKeyId, secretAccessKey, ...rest }) => {
    if (bucket === undefined || region === undefined) return { driver }
    if (accessKeyId === undefined || secretAccessKey === undefined) return { driver }
    return { driver, place: { bucket, region, accessKeyId, secretAccessKey, ...rest } }
  })
