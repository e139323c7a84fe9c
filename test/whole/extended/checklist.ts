import { behind, type Extension } from './copy.js'

/** A kind of record that the hub has not, which whoever may see snippets may see: its own files, and its lines in five that exist. */
export const checklist: Extension = {
  edits: {
    'commands/index.ts': behind({
      "import { emitTenant } from './tenants/tenant/events.js'": `
import { checklistDeciders } from './records/checklist/decide.js'
import { emitChecklist } from './records/checklist/events.js'`,
      'const deciders = {': '  ...checklistDeciders,',
      'const emitters = [': '  emitChecklist,'
    }),
    'commands/records/kinds.ts': behind({
      "import { nameOf } from '../record.js'": `
import { emitChecklist } from './checklist/events.js'
import { type ChecklistContent, checklistFields, type SubmittedChecklist } from './checklist/fields.js'
import { checklistsTable } from './checklist/table.js'`,
      "import { type SnippetContent, type SubmittedSnippet, snippetFields } from './snippet/fields.js'": `
export const checklistKind: LockableKind<
  'Checklist',
  ChecklistContent,
  typeof checklistsTable.columns,
  SubmittedChecklist
> = lockableKind({
  emit: emitChecklist,
  label: 'Checklist',
  plural: 'checklists',
  access: 'snippetAccess',
  table: checklistsTable,
  listed: 'byName',
  fields: checklistFields,
  columns: [],
  update: (command) => ({ type: 'UpdateChecklist', ...command })
})`,
      'const all = {': '  checklist: checklistKind,'
    }),
    'projections/index.ts': behind({
      "import { collections } from './collections.js'": "import { checklists } from './checklists.js'",
      'export const projectors: readonly Projector[] = [': '  checklists,'
    }),
    'src/http/openapi/tags.ts': behind({
      'export const TAGS = {': "  checklists: 'What is to be done, and what is.',"
    }),
    'src/http/server.ts': behind({
      "import { collectionRoutes } from './routes/collections.js'":
        "import { checklistRoutes } from './routes/checklists.js'",
      '    sessionRoutes,': '    checklistRoutes,'
    })
  },
  files: {
    'commands/records/checklist/fields.ts': `import { z } from 'zod'
import { listOf } from '../../../src/limits.js'
import { text } from '../../content.js'
import { type ContentOf, defaulted, field, named, type SubmittedOf, textual } from '../fields.js'

const entry = (text: z.ZodString) => z.object({ text, isDone: z.boolean() })

export const checklistFields = {
  name: named,
  purpose: defaulted(textual('rest'), ''),
  entries: field(z.array(entry(z.string())), listOf(entry(text)).default([]))
}
export type ChecklistContent = ContentOf<typeof checklistFields>
export type SubmittedChecklist = SubmittedOf<typeof checklistFields>
`,
    'commands/records/checklist/events.ts': `import { empty, removal, restored, wholeLockable } from '../../content.js'
import { begin, emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { checklistFields } from './fields.js'

const content = storedOf(checklistFields)

export const emitChecklist = emitter('checklist', {
  ChecklistCreated: begin(content),
  ChecklistUpdated: event(content),
  ChecklistDeletionLocked: event(empty),
  ChecklistDeletionUnlocked: event(empty),
  ChecklistDeleted: event(removal),
  ChecklistRestored: restored(wholeLockable(content))
})
`,
    'commands/records/checklist/decide.ts': `import type { Deciders } from '../../context.js'
import { changeable, deleteAsAdmin, type Target } from '../kind.js'
import { checklistKind } from '../kinds.js'
import { deleteLockable, type Lock, requireWildcard, setLock } from '../lockable.js'
import { emitChecklist } from './events.js'
import type { SubmittedChecklist } from './fields.js'

export type ChecklistCommand =
  | { readonly type: 'CreateChecklist'; readonly id: string; readonly content: SubmittedChecklist }
  | ({ readonly type: 'UpdateChecklist'; readonly content: SubmittedChecklist } & Target)
  | ({ readonly type: 'DeleteChecklist' } & Target)
  | ({ readonly type: 'LockChecklist' } & Lock)
  | ({ readonly type: 'DeleteChecklistAsAdmin' } & Target)

/** Decides on one checklist. */
export const checklistDeciders: Deciders<ChecklistCommand> = {
  CreateChecklist({ id, content }, { caller }) {
    requireWildcard(caller, checklistKind)
    return [emitChecklist(id, 'ChecklistCreated', checklistKind.whole(content, null))]
  },
  async UpdateChecklist(command, context) {
    const row = await changeable(checklistKind, command, context)
    const content = checklistKind.whole(command.content, row)
    return checklistKind.holds(row, content) ? [] : [emitChecklist(row.id, 'ChecklistUpdated', content)]
  },
  DeleteChecklist: deleteLockable(checklistKind),
  LockChecklist: setLock(checklistKind),
  DeleteChecklistAsAdmin: deleteAsAdmin(checklistKind)
}
`,
    'commands/records/checklist/table.ts': `import { table } from '../../table.js'
import { lockableColumns as columns, lockableIndexes as indexes } from '../tables.js'

export const checklistsTable = table({ name: 'checklists', columns, indexes, scope: 'id' })
`,
    'projections/checklists.ts': `import { type ChecklistContent, checklistFields } from '../commands/records/checklist/fields.js'
import { checklistsTable } from '../commands/records/checklist/table.js'
import { versionOf } from '../commands/records/fields.js'
import { lockable } from './lockable.js'

export const checklists = lockable<ChecklistContent>('Checklist', {
  table: checklistsTable,
  version: versionOf(checklistFields)
})
`,
    'src/http/routes/checklists.ts': `import type { FastifyInstance } from 'fastify'
import { checklistFields } from '../../../commands/records/checklist/fields.js'
import { newOf, sentOf } from '../../../commands/records/fields.js'
import { checklistKind } from '../../../commands/records/kinds.js'
import { lockableRoutes, managedRoutes } from './lockables.js'

/** Checklists, for clients and for administrators. */
export function checklistRoutes(app: FastifyInstance): void {
  lockableRoutes(app, checklistKind, {
    creation: newOf(checklistFields),
    replacement: sentOf(checklistFields),
    create: (content, id) => ({ type: 'CreateChecklist', id, content }),
    update: (content, target) => ({ type: 'UpdateChecklist', ...target, content }),
    remove: (target) => ({ type: 'DeleteChecklist', ...target })
  })
  managedRoutes(app, checklistKind, {
    lock: (command) => ({ type: 'LockChecklist', ...command }),
    remove: (target) => ({ type: 'DeleteChecklistAsAdmin', ...target })
  })
}
`
  }
}
