import { z } from 'zod'
import { empty, removal, wholeLockable } from '../content.js'
import { begin, emitter, event } from '../event.js'

/** Live servers and live pages: what the desktop serves or opens, which the hub keeps and never runs. */

const texts = z.array(z.string())
const anything = z.array(z.unknown())
const enabled = z.boolean().optional()
/** The deletions that are undone when a record is back. */
const deletions = { deletionPositions: z.array(z.number()) }

export const liveServerContent = z.object({
  name: z.string(),
  root: z.string(),
  host: z.string(),
  port: z.number().nullable(),
  aliases: z.array(z.object({ path: z.string(), target: z.string() })),
  watch: z.boolean(),
  cors: z.object({
    enabled: z.boolean(),
    origin: z.string(),
    methods: z.string(),
    allowedHeaders: z.string(),
    exposedHeaders: z.string(),
    maxAge: z.string(),
    credentials: z.boolean()
  }),
  openPath: z.string(),
  openPathOnStartup: z.boolean(),
  rememberLastUrl: z.boolean(),
  lastOpenedPath: z.string().nullable(),
  indexFiles: texts,
  headers: z.array(z.object({ name: z.string(), value: z.string(), enabled })),
  routes: z.array(z.object({ match: z.string(), target: z.string(), enabled })),
  errorPages: z.array(z.object({ code: z.union([z.number(), z.string()]), path: z.string(), enabled })),
  proxies: z.array(z.object({ path: z.string(), target: z.string(), stripPath: z.boolean().optional(), enabled })),
  ssl: z.object({ enabled: z.boolean(), certPath: z.string(), keyPath: z.string() }),
  runCommand: z.string(),
  runtimeId: z.string(),
  runCommandEnv: z.array(z.object({ key: z.string(), value: z.string(), enabled: z.boolean() })),
  runCommandEnabled: z.boolean(),
  restartOnCrash: z.boolean(),
  urlVariable: z.string(),
  preRequestScripts: anything,
  postRequestScripts: anything,
  sortOrder: z.number().optional()
})
export type LiveServerContent = z.infer<typeof liveServerContent>

export const livePageContent = z.object({
  name: z.string(),
  url: z.string(),
  homeUrl: z.string(),
  faviconDataUrl: z.string().nullable(),
  scripts: anything,
  preRequestScripts: anything,
  postRequestScripts: anything,
  variables: anything,
  headers: anything,
  userAgent: z.string(),
  auth: z.unknown(),
  sortOrder: z.number().optional()
})
export type LivePageContent = z.infer<typeof livePageContent>

export const liveServerEvents = {
  LiveServerCreated: begin(liveServerContent),
  LiveServerUpdated: event(liveServerContent),
  LiveServerDeletionLocked: event(empty),
  LiveServerDeletionUnlocked: event(empty),
  LiveServerDeleted: event(removal),
  LiveServerRestored: event(wholeLockable(liveServerContent).extend(deletions))
}
export const emitLiveServer = emitter('liveServer', liveServerEvents)

export const livePageEvents = {
  LivePageCreated: begin(livePageContent),
  LivePageUpdated: event(livePageContent),
  LivePageDeletionLocked: event(empty),
  LivePageDeletionUnlocked: event(empty),
  LivePageDeleted: event(removal),
  LivePageRestored: event(wholeLockable(livePageContent).extend(deletions))
}
export const emitLivePage = emitter('livePage', livePageEvents)
