import { resolve } from 'node:path'
import { z } from 'zod'
import {
  addressRange,
  flag,
  integer,
  matching,
  optional,
  optionalAs,
  optionalPath,
  orElse,
  path,
  secret,
  text,
  witnessUrl
} from './fields.js'
import { readSmallFile } from './smallFile.js'

const PROVIDERS_MAX = 20
const LISTED_MAX = 1000

const id = matching(
  /^[a-z0-9][a-z0-9-]{0,31}$/,
  'The id of a provider has small letters, digits and hyphens, 32 at most.'
)

/** A provider without a path: `https://id.example.com`, or with one, and http on this machine alone. */
const issuer = witnessUrl
  .refine((value) => !/[?#]/.test(value), 'Must be the issuer as the provider names itself, without a query.')
  // At such an address a provider may call itself whatever it likes, and so know the people of another.
  .refine(
    (value) => !value.includes('/.well-known/'),
    'Must be the issuer as the provider names itself: what stands before "/.well-known/".'
  )

const listed = z.array(text()).max(LISTED_MAX, `At most ${LISTED_MAX}.`)

const provider = (baseDir: string) =>
  z
    .strictObject({
      id,
      name: text(),
      issuer,
      clientId: text(),
      clientSecret: secret(optionalAs(text())),
      clientSecretFile: optionalPath(baseDir),
      scopes: orElse(listed, ['openid', 'profile', 'email']),
      nameClaim: orElse(text(), 'name'),
      emailClaim: orElse(text(), 'email'),
      groupsClaim: orElse(text(), 'groups'),
      allowedDomains: orElse(listed, []),
      allowedGroups: orElse(listed, []),
      /** Who has this value among their groups becomes a member of that group of the hub at each sign-in, and is one no more without it. */
      groupRules: orElse(
        z.array(z.strictObject({ value: text(), group: text() })).max(LISTED_MAX, `At most ${LISTED_MAX}.`),
        []
      ),
      /** True where what a directory calls the external id of somebody is their subject here. */
      externalIdIsSubject: orElse(flag, false),
      /** What becomes of somebody who signs in for the first time, and whom nobody has bound to an account. */
      firstSignIn: orElse(z.enum(['refuse', 'create'], 'firstSignIn must be "refuse" or "create".'), 'refuse'),
      /** Private addresses that endpoints of the provider may be at, beside the host of its issuer. */
      allowPrivateAddresses: orElse(z.array(addressRange), [])
    })
    .refine(({ scopes }) => scopes.includes('openid'), { error: 'Must include "openid".', path: ['scopes'] })
    .transform(({ clientSecretFile, ...rest }, context) => {
      if (clientSecretFile === undefined) return rest
      const file = readSmallFile(clientSecretFile)
      const clientSecret = 'text' in file ? file.text.trim() : ''
      if (clientSecret !== '') return { ...rest, clientSecret }
      const message = 'why' in file ? file.why : `The file ${clientSecretFile} is empty.`
      context.addIssue({ code: 'custom', message, path: ['clientSecretFile'] })
      return z.NEVER
    })

/** The `signIn` section: who tells the hub who somebody is. */
export const signIn = (baseDir: string) =>
  z.strictObject(
    {
      /** The key that a sign-in on its way is sealed with; made when it is first needed. */
      keyFile: orElse(path(baseDir, 'Must not be empty.'), resolve(baseDir, 'data/sign-in-key')),
      /** How long somebody stays signed in. */
      sessionHours: orElse(integer(1, 8760), 12),
      /** How long a provider is believed before it is asked again, of sessions for which it gives a refresh token; missing means until they end. */
      recheckMinutes: optional(integer(1, 1440)),
      providers: z
        .array(provider(baseDir))
        .min(1, 'Name at least one provider.')
        .max(PROVIDERS_MAX, `At most ${PROVIDERS_MAX} providers.`)
        .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Two providers have the same id.')
        .refine(
          (all) => all.filter(({ externalIdIsSubject }) => externalIdIsSubject).length <= 1,
          'External ids are the subjects of one provider.'
        )
    },
    { error: 'signIn must be a mapping; remove the key to sign in with tokens alone.' }
  )
