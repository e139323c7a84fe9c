import { type ExportFormat, type ExportPreview, isExportPreview } from '../model/exporting.js'
import { hub } from './session.js'

const PATIENCE_MS = 120_000

/** What a collection would be as a file of a format, and what that has no place for. */
export async function previewExport(id: string, format: ExportFormat, signal: AbortSignal): Promise<ExportPreview> {
  const { body } = await hub().request('GET', '/collections/{id}/export', {
    ...{ path: { id }, query: { format, preview: 'true' }, signal, timeout_ms: PATIENCE_MS }
  })
  if (!isExportPreview(body)) throw new TypeError('The hub has answered something else than a preview.')
  return body
}

/** A collection as a file, and what it is called. */
export async function exportCollection(id: string, format: ExportFormat) {
  const { body } = await hub().download('/collections/{id}/export', {
    ...{ path: { id }, query: { format }, timeout_ms: PATIENCE_MS }
  })
  const type = body.type ?? 'application/octet-stream'
  return { name: body.name ?? `collection.${format}`, file: new Blob([body.bytes], { type }) }
}
