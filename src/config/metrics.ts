import { z } from 'zod'
import { flag, optional, optionalText, orElse, secret } from './fields.js'

const path = z
  .string()
  .regex(
    /^(\/[A-Za-z0-9_.-]{1,100}){1,5}$/,
    'Path must be a / followed by letters, digits, dots, - or _, at most 5 times.'
  )

/** Long enough that nobody guesses it, and something that a header can carry. */
const authToken = z
  .string()
  .regex(/^[\x21-\x7e]{16,500}$/, 'Token must be 16 to 500 printable characters without white space.')

/** The `metrics` section. Where `enabled` is not said, it depends on who can reach the hub: `areMetricsServed`. */
export const metrics = z.strictObject({
  enabled: optional(flag),
  path: orElse(path, '/metrics'),
  authToken: secret(optionalText.pipe(authToken.optional()))
})
