import { z } from 'zod'
import { addressRange, integer, orElse, path } from './fields.js'

/** The `webhooks` section. The key without a value is a mistake: whether the section exists decides what the hub offers. */
export const webhooks = (baseDir: string) =>
  z.strictObject(
    {
      /** The key that the signing secrets of subscriptions are derived from; made when it is first needed. */
      keyFile: path(baseDir, 'Must not be empty.'),
      allowPrivateAddresses: orElse(z.array(addressRange), []),
      /** How long a delivery may take, from the connection to the status of its answer. */
      timeoutSeconds: orElse(integer(1, 60), 10),
      /** Days of failures after which a subscription is switched off. */
      disableAfterDays: orElse(integer(1, 30), 5)
    },
    { error: 'webhooks must be a mapping; remove the key to send no webhooks.' }
  )
