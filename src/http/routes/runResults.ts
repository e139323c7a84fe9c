import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import type { PriorOutcome } from '../../../commands/log/idempotency/decide.js'
import { requireRun } from '../../../commands/people/token/scopes.js'
import { existing } from '../../../commands/records/kind.js'
import { runResults as kind } from '../../../commands/records/runResult/decide.js'
import type { runResultsTable } from '../../../commands/records/runResult/table.js'
import { listRunResults, runResultDetail, runResultRecords } from '../../../queries/runResults.js'
import { errors } from '../../errors.js'
import type { Ledger } from '../../ledger/ledger.js'
import { boundedText, freeObject, LIMITS } from '../../limits.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import { streamAt } from '../../records/history/priorOutcome.js'
import type { Row } from '../../storage/storage.js'
import { fieldsOf, listAnswer, runResult, runResultWithPayload } from '../answers.js'
import { emptyList, freshList } from '../lists.js'
import { paged } from '../paging.js'
import { done, json } from '../reply.js'
import { routes } from '../route.js'

const creation = z.object({
  label: boundedText(LIMITS.label)
    .trim()
    .min(1, 'Must not be empty')
    .optional()
    .describe('What it is called. Left out, it is made of the name and the time.'),
  payload: freeObject('The payload must be a JSON object.').describe(
    'The export of the client: `harborclientExport`, what was run, and its `results`.'
  )
})

/** A list of run results, for its caller. */
const listFor = (caller: Caller) => ({
  name: 'runResults',
  fields: fieldsOf(runResult),
  records: (rows: readonly Row<typeof runResultsTable.columns>[]) => runResultRecords(caller, rows)
})

const runResults = listAnswer('runResults', runResult)

/** Run results that users share with each other: a list of one's own, anybody's by its id. */
export function runResultRoutes(app: FastifyInstance): void {
  const route = routes(app, 'run results')

  route('GET', '/run-results', 'listRunResults', runResults, {
    summary: 'List the run results that the caller has shared',
    about:
      'The newest come first, without the payload. Administrators have none, and a token that is limited to collections lists those of them.',
    ...paged,
    handle: async ({ readModel, caller, query }) => {
      if (caller.role === 'admin') return emptyList(listFor(caller), query)
      return freshList(readModel, { ...listRunResults(caller.userId), ...listFor(caller) }, query)
    }
  })

  route('POST', '/run-results', 'shareRunResult', runResultWithPayload, {
    summary: 'Share the result of a run',
    about:
      'Every user may read it by its id, and those with the collection that it names are told of it. The payload is kept as it came; its name, summary and label are read off it. A token that is limited to collections shares what names one of them.',
    body: creation,
    takes: 'content',
    handle: async ({ hub, readModel, caller, body, run }) => {
      const { label, payload } = body
      const id = randomUUID()
      const { repeats } = await run({ type: 'ShareRunResult', id, label, payload })
      return json(repeats ? await sharedBefore(hub.ledger, repeats) : await detail(readModel, id, caller))
    }
  })

  route('GET', '/run-results/:id', 'getRunResult', runResultWithPayload, {
    summary: 'Get a run result, whoever has shared it',
    about:
      'Every user may read any: links to it are shared. A token that is limited to collections reads what names one of them.',
    handle: async ({ readModel, caller, params }) => json(await detail(readModel, params.id, caller))
  })

  route('DELETE', '/run-results/:id', 'deleteRunResult', null, {
    summary: 'Delete a run result that the caller has shared',
    about: "Another account's is refused with 403. It cannot be brought back.",
    handle: ({ params, run }) => done(run({ type: 'DeleteRunResult', id: params.id }))
  })

  route('GET', '/admin/run-results', 'listRunResultsAsAdmin', runResults, {
    summary: 'List all run results',
    about: 'The newest come first, without the payload.',
    ...paged,
    handle: async ({ readModel, caller, query }) =>
      freshList(readModel, { ...listRunResults(), ...listFor(caller) }, query)
  })

  route('GET', '/admin/run-results/:id', 'getRunResultAsAdmin', runResultWithPayload, {
    summary: 'Get a run result, whoever has shared it',
    about: 'As users get it, with its payload.',
    handle: async ({ readModel, caller, params }) => json(await detail(readModel, params.id, caller))
  })

  route('DELETE', '/admin/run-results/:id', 'deleteRunResultAsAdmin', null, {
    summary: 'Delete a run result, whoever has shared it',
    about: 'It cannot be brought back.',
    handle: ({ params, run }) => done(run({ type: 'DeleteRunResultAsAdmin', id: params.id }))
  })
}

/** A run result as it was shared under a key that is used again, whether it is there or deleted. */
async function sharedBefore({ storage }: Ledger, { subject, position }: PriorOutcome): Promise<string> {
  const then = await streamAt(storage, `runresult-${subject}`, position)
  const found = subject === null ? null : await runResultDetail(then, subject)
  if (!found) throw errors.answerErased()
  return found
}

/** A run result with its payload: 404 where it is not there, and 403 to a token that is limited to other collections. */
async function detail(readModel: ReadModel, id: string, caller: Caller): Promise<string> {
  const { collectionId } = await existing(kind, id, readModel)
  requireRun(caller, collectionId)
  const found = await runResultDetail(readModel, id)
  if (!found) throw errors.notFound(kind.title)
  return found
}
