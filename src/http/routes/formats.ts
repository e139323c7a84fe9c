import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { accessible } from '../../../commands/records/kind.js'
import { kinds } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { exportCollection } from '../../records/export/export.js'
import { EXPORT_FORMATS } from '../../records/export/formats.js'
import { IMPORT_FORMATS } from '../../records/import/formats.js'
import { importReport, planImport, requireTarget, runImport } from '../../records/import/import.js'
import { readInThread } from '../../records/import/thread.js'
import { FilePlaces } from '../filePlaces.js'
import { json, type Reply } from '../reply.js'
import { forUsers, routes } from '../route.js'
import { byId } from './input.js'

const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

const source = z.object({
  content: boundedText(LIMITS.text).describe('The file: its text, or where it is no text its bytes in base64.'),
  encoding: z.enum(['utf8', 'base64']).default('utf8').describe('What `content` is: the text, or bytes in base64.'),
  format: z.enum(IMPORT_FORMATS).optional().describe('The format of the file. Left out, it is told from the content.'),
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
const preview = z.object({
  preview: flag.default(false).describe('`true` to be told what would happen, and change nothing.')
})
const wanted = z.object({
  format: z.enum(EXPORT_FORMATS).describe('The format of the file.'),
  preview: flag.default(false).describe('`true` to be told what the format has no place for, in place of the file.')
})

const report = z.object({
  preview: z.boolean().describe('True where nothing was changed.'),
  ...importReport.shape
})

/** Collections from files of other tools, and as such files. */
export function formatRoutes(app: FastifyInstance): void {
  const route = routes(app, 'collections')
  const places = new FilePlaces()

  const importing = forUsers(
    'importCollection',
    'Import a collection from a file of another tool, or say what that would do',
    report,
    {
      body: source,
      query: preview,
      takes: 'content',
      refuses: [404, 409, 412],
      about:
        'Takes files of Postman, OpenAPI, Insomnia, Bruno and HAR, and lines that call curl. All of it happens in one commit or nothing does; 412 where somebody has changed what it is about meanwhile. The next file of a source is merged into the same collection: what somebody has changed here stays and is named. With `preview` nothing is changed.'
    }
  )
  route('POST', '/collections/import', importing, async ({ hub, body, query, caller, origin }) => {
    const { content, encoding, format, collectionId: into = null, prune, overwrite } = body
    await requireTarget(hub.ledger, caller, into)
    const imported = await places.hold(caller.userId, () => readInThread(bytesOf(content, encoding), format))
    const options = { into, prune, overwrite }
    if (query.preview)
      return json({ preview: true, ...(await planImport(hub.ledger, caller, imported, options)).report })
    return json({ preview: false, ...(await runImport(hub.ledger, origin, caller, imported, options)) })
  })

  const exporting = forUsers(
    'exportCollection',
    'Export a collection as a file of another tool, or say what that has no place for',
    { 200: { 'application/json': z.unknown(), 'application/zip': z.string() } },
    {
      ...byId,
      query: wanted,
      refuses: [413],
      about:
        'Takes access to the collection. With `preview` the answer is `{format, fileName, bytes, notes}` in place of the file. 413 where the file would be too large.'
    }
  )
  route('GET', '/collections/:id/export', exporting, async ({ hub, params, query, caller, reply }): Promise<Reply> => {
    await accessible(kinds.collection, params.id, caller, hub.ledger.readModel)
    const { bytes, fileName, contentType, notes } = await places.hold(caller.userId, () =>
      exportCollection(hub.ledger, params.id, query.format)
    )
    if (query.preview) return json({ format: query.format, fileName, bytes: bytes.length, notes })
    reply.header('content-disposition', `attachment; filename="${fileName}"`)
    return { status: 200, body: Buffer.from(bytes), contentType }
  })
}

function bytesOf(content: string, encoding: 'utf8' | 'base64'): Uint8Array {
  if (encoding === 'base64' && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content))
    throw errors.importUnreadable('it is no base64.')
  return Uint8Array.from(Buffer.from(content, encoding))
}
