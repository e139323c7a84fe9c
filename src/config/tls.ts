import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import { flag, optional, optionalText, orElse, secret, text, unlessMissing } from './fields.js'
import { readSmallFile } from './smallFile.js'
import type { TlsConfig } from './types.js'

const PEM = /-----BEGIN [A-Z ]+-----/

/** A certificate or key: its own text, or the path of a file that holds it, which starts at `baseDir`. */
const pem = (baseDir: string) =>
  text().transform((given, context) => {
    const read = PEM.test(given) ? { text: given } : readSmallFile(resolve(baseDir, given))
    if ('text' in read && PEM.test(read.text)) return `${read.text.trim()}\n`
    context.addIssue('why' in read ? read.why : `The file ${resolve(baseDir, given)} holds no PEM text.`)
    return z.NEVER
  })

const details = (baseDir: string) =>
  z
    .strictObject({
      ca: optional(pem(baseDir)),
      cert: optional(pem(baseDir)),
      key: secret(optional(pem(baseDir))),
      servername: optionalText,
      rejectUnauthorized: orElse(flag, true)
    })
    .superRefine(({ ca, cert, key }, context) => {
      const lacking = cert === undefined ? 'cert' : 'key'
      if ((cert === undefined) !== (key === undefined))
        return context.addIssue({ code: 'custom', path: [lacking], message: 'cert and key go together: give both.' })
      try {
        createSecureContext({ ca, cert, key })
      } catch (error) {
        // OpenSSL's own words, which name no part of the texts.
        const why = error instanceof Error ? error.message : String(error)
        context.addIssue(`These certificates or this key cannot be used: ${why}.`)
      }
    })

/** Whether a connection is encrypted, and how it is verified: true, or what differs from the usual. False is undefined. */
export const tls = (baseDir: string) =>
  optional(
    z.union([flag, details(baseDir)], {
      error: unlessMissing('Must be true, false, or a mapping with ca, cert, key, servername or rejectUnauthorized.')
    })
  ).transform((given): TlsConfig | undefined =>
    typeof given === 'object' ? given : given ? { rejectUnauthorized: true } : undefined
  )
