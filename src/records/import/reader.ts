import { z } from 'zod'
import { importBounds } from '../../config/importBounds.js'
import { answerTasks } from '../formats/thread.js'
import { readImport } from './formats.js'
import { IMPORT_FORMATS } from './imported.js'

// The thread that `readInThread` has files read in.

const task = z.object({
  bytes: z.instanceof(Uint8Array),
  format: z.enum(IMPORT_FORMATS).optional(),
  part: z.string().optional(),
  bounds: importBounds.optional()
})

answerTasks(import.meta.url, task, ({ bytes, ...options }) => readImport(bytes, options))
