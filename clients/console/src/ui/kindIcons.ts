import type { Kind } from '../model/records.js'
import type { IconName } from './Icon.js'

/** What stands for each kind of record. */
export const KIND_ICONS: Readonly<Record<Kind, IconName>> = {
  collection: 'hub',
  folder: 'folder',
  request: 'open',
  document: 'document',
  environment: 'environment',
  snippet: 'snippet',
  liveServer: 'liveServer',
  livePage: 'livePage'
}
