import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { runResultsTable } from '../../../projections/runResults.js'
import { runResultFields } from '../../../queries/fields.js'
import { listRunResults, runResultDetail, runResultRecord } from '../../../queries/runResults.js'
import { errors } from '../../errors.js'
import { streamAt } from '../../history/priorOutcome.js'
import type { Ledger } from '../../ledger.js'
import { boundedText, freeObject, LIMITS } from '../../limits.js'
import type { CachedReads } from '../../log/cachedReads.js'
import type { PriorOutcome } from '../../log/writer.js'
import type { Row } from '../../storage/storage.js'
import { emptyList, freshList } from '../lists.js'
import { paging } from '../paging.js'
import { json, noContent } from '../reply.js'
import { routes } from '../route.js'
import { idParams } from './input.js'

const creation = z.object({
  label: boundedText(LIMITS.label).optional(),
  payload: freeObject('The payload must be a JSON object.')
})

const runResultRecords = {
  name: 'runResults',
  fields: runResultFields,
  records: (rows: readonly Row<typeof runResultsTable.columns>[]) => rows.map(runResultRecord)
}

/** Run results that users share with each other: a list of one's own, anybody's by its id. */
export function runResultRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/run-results', { query: paging, access: 'any' }, async ({ hub, caller, query }) => {
    if (caller.role === 'admin') return emptyList(runResultRecords, query)
    return freshList(hub.ledger.view, { ...listRunResults(caller.userId), ...runResultRecords }, query)
  })

  route('POST', '/run-results', { body: creation, takes: 'content', access: 'user' }, async ({ hub, body, run }) => {
    const { label, payload } = body
    const id = randomUUID()
    const { repeats } = await run({ type: 'ShareRunResult', id, label, payload })
    return json(repeats ? await sharedBefore(hub.ledger, repeats) : await detail(hub.ledger.view, id))
  })

  route('GET', '/run-results/:id', { params: idParams, access: 'user' }, async ({ hub, params }) =>
    json(await detail(hub.ledger.view, params.id))
  )

  route('DELETE', '/run-results/:id', { params: idParams, access: 'user' }, async ({ params, run }) => {
    await run({ type: 'DeleteRunResult', id: params.id })
    return noContent
  })

  route('GET', '/admin/run-results', { query: paging, access: 'admin' }, async ({ hub, query }) =>
    freshList(hub.ledger.view, { ...listRunResults(), ...runResultRecords }, query)
  )

  route('DELETE', '/admin/run-results/:id', { params: idParams, access: 'admin' }, async ({ params, run }) => {
    await run({ type: 'DeleteRunResultAsAdmin', id: params.id })
    return noContent
  })
}

/** A run result as it was shared under a key that is used again, whether it is there or deleted. */
async function sharedBefore({ storage }: Ledger, { subject, position }: PriorOutcome): Promise<string> {
  const then = await streamAt(storage, `runresult-${subject}`, position)
  const found = subject === null ? null : await runResultDetail(then, subject)
  if (!found) throw errors.answerErased()
  return found
}

async function detail(view: CachedReads, id: string): Promise<string> {
  const found = await runResultDetail(view, id)
  if (!found) throw errors.notFound('Run result')
  return found
}
