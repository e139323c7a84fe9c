import { z } from 'zod'
import { environmentContent } from '../../../commands/records/environment/events.js'
import { answerTasks } from '../formats/thread.js'
import { writeEnvironment } from './environment.js'
import { ENVIRONMENT_FORMATS, EXPORT_FORMATS } from './exported.js'
import { writeExport } from './formats.js'
import { collectionTexts, partOf, treeOf } from './tree.js'

// The thread that `writeInThread` and `writeEnvironmentInThread` have files written in.

const collection = z.object({
  texts: collectionTexts,
  format: z.enum(EXPORT_FORMATS),
  only: z.array(z.string()).optional()
})
const environment = z.object({
  environment: environmentContent.omit({ marker: true }).extend({ id: z.string() }),
  format: z.enum(ENVIRONMENT_FORMATS)
})

answerTasks(import.meta.url, z.union([collection, environment]), (task) => {
  if ('environment' in task) return writeEnvironment(task.environment, task.format)
  const { texts, format, only } = task
  const tree = treeOf(texts)
  return writeExport(only ? partOf(tree, new Set(only)) : tree, format)
})
