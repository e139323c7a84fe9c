import { z } from 'zod'
import { addressRange, integer, orElse, path } from './fields.js'

/** The `webhooks` section. The key without a value is a mistake: whether the section exists decides what the hub offers. */
export const webhooks = (baseDir: string) =>
  z.strictObject(
    {
      keyFile: path(baseDir, 'Must not be empty.'),
      allowPrivateAddresses: orElse(z.array(addressRange), []),
      timeoutSeconds: orElse(integer(1, 60), 10),
      disableAfterDays: orElse(integer(1, 30), 5)
    },
    { error: 'webhooks must be a mapping; remove the key to send no webhooks.' }
  )
