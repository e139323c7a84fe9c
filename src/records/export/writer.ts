import { z } from 'zod'
import { answerTasks } from '../formats/thread.js'
import { EXPORT_FORMATS } from './exported.js'
import { writeExport } from './formats.js'
import { partOf, treeOf } from './tree.js'

// The thread that `writeInThread` has files written in.

const list = z.array(z.string())
const texts = z.object({ collection: z.string(), folders: list, requests: list, documents: list })
const task = z.object({ texts, format: z.enum(EXPORT_FORMATS), only: list.optional() })

answerTasks(import.meta.url, task, ({ texts, format, only }) => {
  const tree = treeOf(texts)
  return writeExport(only ? partOf(tree, new Set(only)) : tree, format)
})
