import { z } from 'zod'
import { flag, integer, orElse, text } from './fields.js'

const ORIGINS_MAX = 100
const ANY = '*'

/** A scheme, a host and perhaps a port, as browsers send them in `Origin`. */
const origin = text()
  .refine((value) => value === ANY || isOrigin(value), 'Must be an origin such as https://app.example.com, or *.')
  .transform((value) => (value === ANY ? value : new URL(value).origin))

/** The `server.cors` section: the web pages that may read what the hub answers. */
export const cors = z
  .strictObject({
    origins: z.array(origin).min(1, 'Name at least one origin.').max(ORIGINS_MAX, `At most ${ORIGINS_MAX} origins.`),
    credentials: orElse(flag, false),
    maxAgeSeconds: orElse(integer(0, 86_400), 600)
  })
  .refine(({ origins }) => !origins.includes(ANY) || origins.length === 1, {
    error: 'Wildcard "*" must be the only entry.',
    path: ['origins']
  })
  .refine(({ origins, credentials }) => !(credentials && origins.includes(ANY)), {
    error: 'Must be false where origins is ["*"]: name the origins instead.',
    path: ['credentials']
  })

function isOrigin(value: string): boolean {
  if (!/^https?:\/\/[^/?#@]+$/i.test(value)) return false
  return URL.canParse(value)
}
