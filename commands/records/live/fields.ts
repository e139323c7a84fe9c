import { z } from 'zod'
import { freeValue, listOf } from '../../../src/limits.js'
import { noAuth, text } from '../../content.js'
import {
  anything,
  type ContentOf,
  defaulted,
  field,
  flag,
  image,
  named,
  type SubmittedOf,
  textual,
  url
} from '../fields.js'

/**
 * Live servers and live pages: what the desktop serves or opens, which the hub keeps and never runs. Clients cannot read a record
 * that lacks a field, so what they leave out gets what the desktop begins with.
 */

const empty = defaulted(textual(), '')
const off = defaulted(flag, false)
const on = defaulted(flag, true)
const enabled = z.boolean().optional()
/** Their place in a list, which a client may leave open. */
const sortOrder = field(z.number().optional(), z.int32().optional())

/** A list of objects: what is stored, and what is sent, of each. */
const listed = <S extends z.ZodType, I extends z.ZodType>(stored: S, sent: I) =>
  field(z.array(stored), listOf(sent).default([]))
/** Texts of an object, and whether it is in force. */
const routed = (text: z.ZodString) => z.object({ match: text, target: text, enabled })
const aliased = (text: z.ZodString) => z.object({ path: text, target: text })
const header = (text: z.ZodString) => z.object({ name: text, value: text, enabled })
const proxied = (text: z.ZodString) =>
  z.object({ path: text, target: text, stripPath: z.boolean().optional(), enabled })

const cors = z.object({
  enabled: off.sent,
  origin: text.default('*'),
  methods: text.default('GET,HEAD,PUT,PATCH,POST,DELETE'),
  allowedHeaders: text.default('*'),
  exposedHeaders: empty.sent,
  maxAge: empty.sent,
  credentials: off.sent
})
const ssl = z.object({ enabled: off.sent, certPath: empty.sent, keyPath: empty.sent })

export const liveServerFields = {
  name: named,
  root: defaulted(textual('rest'), ''),
  host: defaulted(textual('address'), '127.0.0.1'),
  port: defaulted(field(z.number().nullable(), z.int().min(1).max(65535).nullable()), null),
  aliases: listed(aliased(z.string()), aliased(text)),
  watch: on,
  cors: field(
    z.object({
      enabled: z.boolean(),
      origin: z.string(),
      methods: z.string(),
      allowedHeaders: z.string(),
      exposedHeaders: z.string(),
      maxAge: z.string(),
      credentials: z.boolean()
    }),
    cors.default(cors.parse({}))
  ),
  openPath: defaulted(textual('address'), '/'),
  openPathOnStartup: on,
  rememberLastUrl: off,
  lastOpenedPath: field(z.string().nullable(), text.nullable().default(null)),
  indexFiles: field(z.array(z.string()), listOf(text).default(['index.html'])),
  headers: listed(header(z.string()), header(text)),
  routes: listed(routed(z.string()), routed(text)),
  errorPages: listed(
    z.object({ code: z.union([z.number(), z.string()]), path: z.string(), enabled }),
    z.object({ code: z.union([z.int32(), text]), path: text, enabled })
  ),
  proxies: listed(proxied(z.string()), proxied(text)),
  ssl: field(z.object({ enabled: z.boolean(), certPath: z.string(), keyPath: z.string() }), ssl.default(ssl.parse({}))),
  runCommand: defaulted(textual('rest'), ''),
  runtimeId: empty,
  runCommandEnv: listed(
    z.object({ key: z.string(), value: z.string(), enabled: z.boolean() }),
    z.object({ key: text, value: text, enabled: on.sent })
  ),
  runCommandEnabled: off,
  restartOnCrash: off,
  urlVariable: empty,
  preRequestScripts: anything,
  postRequestScripts: anything,
  sortOrder
}
export type LiveServerContent = ContentOf<typeof liveServerFields>
export type SubmittedLiveServer = SubmittedOf<typeof liveServerFields>

const blank = defaulted(textual(), 'about:blank')

export const livePageFields = {
  name: named,
  url: defaulted(url, 'about:blank'),
  homeUrl: blank,
  faviconDataUrl: defaulted(image, null),
  scripts: anything,
  preRequestScripts: anything,
  postRequestScripts: anything,
  variables: anything,
  headers: anything,
  userAgent: empty,
  auth: field(z.unknown(), freeValue().default(noAuth)),
  sortOrder
}
export type LivePageContent = ContentOf<typeof livePageFields>
export type SubmittedLivePage = SubmittedOf<typeof livePageFields>
