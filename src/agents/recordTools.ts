import { z } from 'zod'
import { id } from '../../commands/content.js'
import { accessible } from '../../commands/records/kind.js'
import { KINDS, kinds, type RestorableKind } from '../../commands/records/kinds.js'
import { sequenceOf } from '../../commands/records/sequences.js'
import { nextTurn } from '../lib/turns.js'
import { LIMITS } from '../limits.js'
import { historyOf } from '../records/history/history.js'
import { maskedForAgents } from '../trust/audit/mask.js'
import { cursor, fittingItems, limitOf, next, recordPart } from './pages.js'
import { args, type Tool, type ToolContext, tool } from './tool.js'

const recordAnswer = z.object({
  kind: z.enum(KINDS),
  id: z.string(),
  revision: z.int().describe('Which state of the record this is; update tools want it'),
  record: z.looseObject({}).optional().describe('The record, where it fits into one answer'),
  part: z.string().optional().describe('Where it does not: a part of its JSON text. Join the parts of all answers'),
  next
})

/** What is left out of every record that an agent reads. */
const MASKED =
  'Passwords, tokens, values of variables that may be secret and those of headers such as Authorization are shown as [masked].'

/** A record as agents read it, or a part of it: as the caller may see it now, with the secrets in it masked. */
export async function readRecord(
  { ledger: { readModel }, caller }: Pick<ToolContext, 'ledger' | 'caller'>,
  kind: RestorableKind,
  recordId: string,
  after?: string
) {
  const row = await accessible(kinds[kind], recordId, caller, readModel)
  const { table } = kinds[kind]
  const place = await readModel.placeOf(sequenceOf(table), table, row)
  // Each of these steps may take its while with a large record.
  const pause = row.body.length > LIMITS.agentAnswer.max ? nextTurn : () => undefined
  const text = kinds[kind].record(row, place)
  await pause()
  const parsed: unknown = JSON.parse(text)
  await pause()
  const shown = maskedForAgents(parsed)
  await pause()
  const part = await recordPart(shown, `${row.revision} ${place}`, after)
  return { kind, id: row.id, revision: row.revision, ...part }
}

function recordTool(kind: RestorableKind, name: string, title: string, description: string): Tool {
  return tool({
    name,
    title,
    description: `${description} ${MASKED}`,
    args: args({ id, cursor }),
    answer: recordAnswer,
    recordOf: ({ id }) => ({ kind, id }),
    run: ({ id, cursor }, context) => readRecord(context, kind, id, cursor)
  })
}

const version = z.object({
  version: z.int(),
  position: z.int(),
  at: z.string(),
  type: z.string(),
  by: z.object({ id: z.string(), name: z.string().nullable() }),
  changed: z.array(z.string()).describe('The fields that differ from the version before'),
  deleted: z.literal(true).optional(),
  erased: z.literal(true).optional(),
  causation: z.int().optional().describe('The position of the event that it took back or repeated')
})

const before = z.int().min(1).optional().describe('Only versions before this one: `next` of the answer before')

const history = tool({
  name: 'get_history',
  title: 'History of a record',
  description: 'Lists the versions of a record, the newest first: who changed which of its fields, and when.',
  args: args({ kind: z.enum(KINDS), id, before, limit: limitOf(100, 20) }),
  answer: z.object({
    versions: z.array(version),
    count: z.int().describe('How many versions there are in all'),
    next: z.int().nullable().describe('Send it as `before` to go on; null at the end')
  }),
  recordOf: ({ kind, id }) => ({ kind, id }),
  async run({ kind, id, before, limit }, { ledger, caller }) {
    await accessible(kinds[kind], id, caller, ledger.readModel)
    const found = await historyOf(ledger, kind, id, { limit, before })
    const versions = fittingItems(found.versions)
    const last = versions.at(-1)?.version ?? 1
    return {
      versions: versions.map((one) => ({ ...one, changed: [...one.changed] })),
      count: found.count,
      next: last > 1 ? last : null
    }
  }
})

/** Tools that read one record. */
export const recordTools: readonly Tool[] = [
  recordTool(
    'request',
    'get_request',
    'Read a request',
    'Reads a saved HTTP request: method, URL, headers, parameters, auth, body, scripts and comment.'
  ),
  recordTool('document', 'get_document', 'Read a document', 'Reads a Markdown document of a collection.'),
  recordTool(
    'collection',
    'get_collection_settings',
    'Read the settings of a collection',
    'Reads what a collection has for all of its requests: variables, headers, auth and scripts.'
  ),
  recordTool(
    'environment',
    'get_environment',
    'Read an environment',
    'Reads an environment: which variables it sets, and which environment it stands below.'
  ),
  recordTool('snippet', 'get_snippet', 'Read a snippet', 'Reads a piece of script that requests share.'),
  history
]
