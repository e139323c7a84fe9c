import { z } from 'zod'
import { freeValue, listOf } from '../../../src/limits.js'
import { noAuth, text } from '../../content.js'
import {
  about,
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
const enabled = z
  .boolean()
  .optional()
  .describe('False for an entry that is kept and not used; true where it is left out.')
/** Their place in a list, which a client may leave open. */
const sortOrder = about(
  'Its place in the list of clients: lower numbers first. Left out, it has none.',
  field(z.number().optional(), z.int32().optional())
)
const before = about('Scripts that the desktop runs before a request, in its own format.', anything)
const after = about('Scripts that the desktop runs after a request, in its own format.', anything)

/** A list of objects: what is stored, and what is sent, of each. */
const listed = <S extends z.ZodType, I extends z.ZodType>(stored: S, sent: I) =>
  field(z.array(stored), listOf(sent).default([]))
/** Texts of an object, and whether it is in force. */
const routed = (text: z.ZodString) =>
  z.object({
    match: text.describe('The pattern of paths that it is for.'),
    target: text.describe('The path that is served instead.'),
    enabled
  })
const aliased = (text: z.ZodString) =>
  z.object({
    path: text.describe('The path below which the directory is served.'),
    target: text.describe('The directory on the machine of the desktop.')
  })
const header = (text: z.ZodString) =>
  z.object({ name: text.describe('The name of the header.'), value: text.describe('Its value.'), enabled })
const proxied = (text: z.ZodString) =>
  z.object({
    path: text.describe('The path below which requests are passed on.'),
    target: text.describe('The URL that they are passed on to.'),
    stripPath: z.boolean().optional().describe('True where `path` is taken off before they are passed on.'),
    enabled
  })

/** What is said of the headers for other origins, and of TLS, whether it is stored or sent. */
const cors = <B extends z.ZodType, T extends z.ZodType>(flag: B, text: (first: string) => T) =>
  z.object({
    enabled: flag.describe('Whether headers for other origins are sent.'),
    origin: text('*').describe('`Access-Control-Allow-Origin`.'),
    methods: text('GET,HEAD,PUT,PATCH,POST,DELETE').describe('`Access-Control-Allow-Methods`.'),
    allowedHeaders: text('*').describe('`Access-Control-Allow-Headers`.'),
    exposedHeaders: text('').describe('`Access-Control-Expose-Headers`; empty for none.'),
    maxAge: text('').describe('`Access-Control-Max-Age` in seconds, as a text; empty for none.'),
    credentials: flag.describe('Whether `Access-Control-Allow-Credentials` is sent.')
  })
const ssl = <B extends z.ZodType, T extends z.ZodType>(flag: B, text: T) =>
  z.object({
    enabled: flag.describe('Whether it is served over TLS.'),
    certPath: text.describe('The file of the certificate, on the machine of the desktop.'),
    keyPath: text.describe('The file of the key, on the machine of the desktop.')
  })
const sentCors = cors(off.sent, (first) => text.default(first))
const sentSsl = ssl(off.sent, empty.sent)
const errorPage = <T extends z.ZodType, C extends z.ZodType>(text: T, code: C) =>
  z.object({
    code: code.describe('The status that it is for.'),
    path: text.describe('The file that is served.'),
    enabled
  })
const setting = <T extends z.ZodType, B extends z.ZodType>(text: T, flag: B) =>
  z.object({
    key: text.describe('The name of the variable.'),
    value: text.describe('Its value. It may be a secret.'),
    enabled: flag.describe('False for one that is kept and not set.')
  })

export const liveServerFields = {
  name: named,
  root: about('The directory that is served, on the machine of the desktop.', defaulted(textual('rest'), '')),
  host: about('The address that it listens on.', defaulted(textual('address'), '127.0.0.1')),
  port: about(
    'The port that it listens on; null for any that is free.',
    defaulted(field(z.number().nullable(), z.int().min(1).max(65535).nullable()), null)
  ),
  aliases: about('Further directories, each below a path.', listed(aliased(z.string()), aliased(text))),
  watch: about('Whether pages load again when a file changes.', on),
  cors: about(
    'The headers for pages of other origins.',
    field(
      cors(z.boolean(), () => z.string()),
      sentCors.default(sentCors.parse({}))
    )
  ),
  openPath: about('The path that the desktop opens.', defaulted(textual('address'), '/')),
  openPathOnStartup: about('Whether it opens that path when the server starts.', on),
  rememberLastUrl: about('Whether it opens the path that was open last instead.', off),
  lastOpenedPath: about(
    'The path that was open last; null for none yet.',
    field(z.string().nullable(), text.nullable().default(null))
  ),
  indexFiles: about(
    'The files that stand for a directory, the first that is there.',
    field(z.array(z.string()), listOf(text).default(['index.html']))
  ),
  headers: about('Headers of every answer.', listed(header(z.string()), header(text))),
  routes: about('Paths for which another one is served.', listed(routed(z.string()), routed(text))),
  errorPages: about(
    'Files that are served with a failure, by its status.',
    listed(errorPage(z.string(), z.union([z.number(), z.string()])), errorPage(text, z.union([z.int32(), text])))
  ),
  proxies: about('Paths that are passed on to other servers.', listed(proxied(z.string()), proxied(text))),
  ssl: about('How it is served over TLS.', field(ssl(z.boolean(), z.string()), sentSsl.default(sentSsl.parse({})))),
  runCommand: about('A command that the desktop runs beside it; empty for none.', defaulted(textual('rest'), '')),
  runtimeId: about('The runtime that the command is run with, as the desktop names it; empty for its default.', empty),
  runCommandEnv: about(
    'Environment variables of the command.',
    listed(setting(z.string(), z.boolean()), setting(text, on.sent))
  ),
  runCommandEnabled: about('Whether the command is run.', off),
  restartOnCrash: about('Whether the command is run again when it fails.', off),
  urlVariable: about('The variable that holds the URL of the server while it runs; empty for none.', empty),
  preRequestScripts: before,
  postRequestScripts: after,
  sortOrder
}
export type LiveServerContent = ContentOf<typeof liveServerFields>
export type SubmittedLiveServer = SubmittedOf<typeof liveServerFields>

const blank = defaulted(textual(), 'about:blank')

export const livePageFields = {
  name: named,
  url: defaulted(about('The URL that is open.', url), 'about:blank'),
  homeUrl: about('The URL that the page goes back to.', blank),
  faviconDataUrl: about('The icon, as a data URL; null for none.', defaulted(image, null)),
  scripts: about('Scripts that the desktop runs in the page, in its own format.', anything),
  preRequestScripts: before,
  postRequestScripts: after,
  variables: about('Variables of the page, in the format of the desktop. Their values may be secrets.', anything),
  headers: about('Headers that the page is asked for with, in the format of the desktop.', anything),
  userAgent: about('The `User-Agent` that the page is asked for with; empty for that of the desktop.', empty),
  auth: about(
    'How the page is asked for with credentials, in the format of the desktop. It may hold secrets.',
    field(z.unknown(), freeValue().default(noAuth))
  ),
  sortOrder
}
export type LivePageContent = ContentOf<typeof livePageFields>
export type SubmittedLivePage = SubmittedOf<typeof livePageFields>
