import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { environmentContent } from '../../../commands/records/environment/events.js'
import { environmentsTable } from '../../../commands/records/environment/table.js'
import { accessible } from '../../../commands/records/kind.js'
import { kinds } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { exportCollection } from '../../records/export/export.js'
import { ENVIRONMENT_FORMATS, EXPORT_FORMATS, type Exported } from '../../records/export/exported.js'
import { writeEnvironmentInThread } from '../../records/export/thread.js'
import { importReport, planImport, requireTarget, runImport } from '../../records/import/import.js'
import { IMPORT_FORMATS, requireOnePart } from '../../records/import/imported.js'
import { knownCollections, knownTo } from '../../records/import/known.js'
import { readInThread } from '../../records/import/thread.js'
import { json, type Reply } from '../reply.js'
import { routes } from '../route.js'
import { flag, preview } from './input.js'

const source = z.object({
  content: boundedText(LIMITS.text).describe('The file: its text, or where it is no text its bytes in base64.'),
  encoding: z.enum(['utf8', 'base64']).default('utf8').describe('What `content` is: the text, or bytes in base64.'),
  format: z.enum(IMPORT_FORMATS).optional().describe('The format of the file. Left out, it is told from the content.'),
  part: boundedText(LIMITS.rawName)
    .optional()
    .describe('Which of the `parts` of the file is imported, by its id; of a file that has several one must be named.'),
  collectionId: id.optional().describe('The id of the collection that it goes into. Left out, it makes a new one.'),
  prune: z
    .boolean()
    .default(false)
    .describe('Whether records are deleted that the file has no more, where nobody has changed them here.'),
  overwrite: z
    .boolean()
    .default(false)
    .describe('Whether records that somebody has changed here become what the file has.')
})
const wanted = z.object({
  format: z.enum(EXPORT_FORMATS).describe('The format of the file.'),
  preview: flag.default(false).describe('`true` to be told what the format has no place for, in place of the file.')
})
const part = wanted.extend({
  only: z
    .string()
    .max(LIMITS.exportOnly.max * (LIMITS.id.max + 1))
    .transform((text) => text.split(','))
    .pipe(z.array(id).max(LIMITS.exportOnly.max))
    .optional()
    .describe('Ids of folders, requests and documents with commas between them: these alone, with what they hold.')
})

const wantedEnvironment = z.object({
  format: z.enum(ENVIRONMENT_FORMATS).describe('The format of the file.'),
  preview: wanted.shape.preview
})

const report = z.object({
  preview: z.boolean().describe('True where nothing was changed.'),
  ...importReport.shape,
  known: knownCollections
    .optional()
    .describe('In a preview: the collections that this source was imported into before, the last one first.')
})

/** Collections from files of other tools, and as such files. */
export function formatRoutes(app: FastifyInstance): void {
  const route = routes(app, 'collections')

  route('POST', '/collections/import', 'importCollection', report, {
    summary: 'Import a collection from a file of another tool, or say what that would do',
    about:
      'Takes files of Postman, OpenAPI, Insomnia, Bruno, OpenCollection, HAR and HarborClient, and lines that call curl; their environments too, with a collection or alone. Of a file that brings several collections each is imported by itself. All of it happens in one commit or nothing does; 412 where somebody has changed what it is about meanwhile. The next file of a source is merged into the same collection: what somebody has changed here stays and is named. With `preview` nothing is changed.',
    body: source,
    query: preview,
    takes: 'content',
    refuses: [404, 409, 412],
    handle: async ({ hub, body, query, caller, origin }) => {
      const { content, encoding, format, part, collectionId: into = null, prune, overwrite } = body
      await requireTarget(hub.ledger, caller, into)
      const imported = await app.filePlaces.hold(caller.userId, () =>
        readInThread(bytesOf(content, encoding), { format, part, bounds: hub.config.import })
      )
      if (part === undefined && !query.preview) requireOnePart(imported)
      const options = { into, prune, overwrite }
      if (query.preview) {
        const { report } = await planImport(hub.ledger, caller, imported, options)
        return json({ preview: true, ...report, known: await knownTo(hub.ledger, caller, imported) })
      }
      return json({ preview: false, ...(await runImport(hub.ledger, origin, caller, imported, options)) })
    }
  })

  const files = {
    200: { 'application/json': z.unknown(), 'application/zip': z.string(), 'application/yaml': z.string() }
  }
  route('GET', '/collections/:id/export', 'exportCollection', files, {
    summary: 'Export a collection as a file of another tool, or say what that has no place for',
    about:
      'Takes access to the collection. With `only` a part of it is exported, in the folders that it is in; 404 where something that is named is not in it. With `preview` the answer is `{format, fileName, bytes, notes}` in place of the file. 413 where the file would be too large.',
    query: part,
    refuses: [404, 413],
    handle: async ({ hub, readModel, params, query, caller, reply }): Promise<Reply> => {
      await accessible(kinds.collection, params.id, caller, readModel)
      const exported = await app.filePlaces.hold(caller.userId, () => exportCollection(hub.ledger, params.id, query))
      return fileReply(exported, query, reply)
    }
  })
}

/** Environments as files of other tools. */
export function environmentFormatRoutes(app: FastifyInstance): void {
  const url = '/environments/:id/export'
  const files = { 200: { 'application/json': z.unknown(), 'application/yaml': z.string(), 'text/plain': z.string() } }
  routes(app, 'environments')('GET', url, 'exportEnvironment', files, {
    summary: 'Export an environment as a file of another tool, or say what that has no place for',
    about:
      'Takes access to the environment; its values, secrets too, are in the file where the format has a place for them. With `preview` the answer is `{format, fileName, bytes, notes}` in place of the file.',
    query: wantedEnvironment,
    refuses: [404, 413],
    handle: async ({ readModel, params, query, caller, reply }): Promise<Reply> => {
      await accessible(kinds.environment, params.id, caller, readModel)
      const row = await readModel.get(environmentsTable, params.id)
      if (!row) throw errors.notFound('Environment')
      const content = environmentContent.parse({ ...JSON.parse(row.body), parentUuid: row.parentUuid })
      const exported = await app.filePlaces.hold(caller.userId, () =>
        writeEnvironmentInThread({ id: row.id, ...content }, query.format)
      )
      return fileReply(exported, query, reply)
    }
  })
}

/** The file, or what is to be said of it. */
function fileReply(
  { bytes, fileName, contentType, notes }: Exported,
  { format, preview }: { readonly format: string; readonly preview: boolean },
  reply: FastifyReply
): Reply {
  if (preview) return json({ format, fileName, bytes: bytes.length, notes })
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  return { status: 200, body: Buffer.from(bytes), contentType }
}

function bytesOf(content: string, encoding: 'utf8' | 'base64'): Uint8Array {
  // Blanks are taken out first: a pattern that knows them in two places looks at each as often as there are some.
  if (encoding === 'base64' && !/^[A-Za-z0-9+/]*={0,2}$/.test(content.replace(/\s+/g, '')))
    throw errors.importUnreadable('it is no base64.')
  return Uint8Array.from(Buffer.from(content, encoding))
}
