import { z } from 'zod'
import { boundedText, freeValue, LIMITS, listOf } from '../../src/limits.js'
import { name, text } from '../content.js'

/** Clients cannot read a record that lacks a field, so what they leave out gets what the desktop begins with. */

const empty = text.default('')
const off = z.boolean().default(false)
const on = z.boolean().default(true)
const enabled = z.boolean().optional()
const anything = listOf(freeValue()).default([])
const sortOrder = z.int32().optional()

const cors = z.object({
  enabled: off,
  origin: text.default('*'),
  methods: text.default('GET,HEAD,PUT,PATCH,POST,DELETE'),
  allowedHeaders: text.default('*'),
  exposedHeaders: empty,
  maxAge: empty,
  credentials: off
})
const ssl = z.object({ enabled: off, certPath: empty, keyPath: empty })

export const sentLiveServer = z.object({
  name,
  root: empty,
  host: text.default('127.0.0.1'),
  port: z.int().min(1).max(65535).nullable().default(null),
  aliases: listOf(z.object({ path: text, target: text })).default([]),
  watch: on,
  cors: cors.default(cors.parse({})),
  openPath: text.default('/'),
  openPathOnStartup: on,
  rememberLastUrl: off,
  lastOpenedPath: text.nullable().default(null),
  indexFiles: listOf(text).default(['index.html']),
  headers: listOf(z.object({ name: text, value: text, enabled })).default([]),
  routes: listOf(z.object({ match: text, target: text, enabled })).default([]),
  errorPages: listOf(z.object({ code: z.union([z.int32(), text]), path: text, enabled })).default([]),
  proxies: listOf(z.object({ path: text, target: text, stripPath: z.boolean().optional(), enabled })).default([]),
  ssl: ssl.default(ssl.parse({})),
  runCommand: empty,
  runtimeId: empty,
  runCommandEnv: listOf(z.object({ key: text, value: text, enabled: on })).default([]),
  runCommandEnabled: off,
  restartOnCrash: off,
  urlVariable: empty,
  preRequestScripts: anything,
  postRequestScripts: anything,
  sortOrder
})

export const sentLivePage = z.object({
  name,
  url: text.default('about:blank'),
  homeUrl: text.default('about:blank'),
  faviconDataUrl: boundedText(LIMITS.favicon).nullable().default(null),
  scripts: anything,
  preRequestScripts: anything,
  postRequestScripts: anything,
  variables: anything,
  headers: anything,
  userAgent: empty,
  auth: freeValue().default({ type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }),
  sortOrder
})
