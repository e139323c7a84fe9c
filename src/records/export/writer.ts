import { z } from 'zod'
import { answerTasks } from '../formats/thread.js'
import { EXPORT_FORMATS } from './exported.js'
import { writeExport } from './formats.js'
import { collectionTexts, partOf, treeOf } from './tree.js'

// The thread that `writeInThread` has files written in.

const task = z.object({
  texts: collectionTexts,
  format: z.enum(EXPORT_FORMATS),
  only: z.array(z.string()).optional()
})

answerTasks(import.meta.url, task, ({ texts, format, only }) => {
  const tree = treeOf(texts)
  return writeExport(only ? partOf(tree, new Set(only)) : tree, format)
})
