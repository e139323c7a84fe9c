import { z } from 'zod'
import { errors } from '../../../src/errors.js'
import { boundedText, LIMITS } from '../../../src/limits.js'
import { type Deciders, requireUser } from '../../context.js'
import { requireRunChange } from '../../people/token/scopes.js'
import { administered, existing } from '../kind.js'
import { emitRunResult, RUN_KINDS } from './events.js'
import { ranIn, runResultsTable } from './table.js'

type Payload = Readonly<Record<string, unknown>>

export type RunResultCommand =
  | {
      readonly type: 'ShareRunResult'
      readonly id: string
      readonly label: string | undefined
      readonly payload: Payload
    }
  | { readonly type: 'DeleteRunResult'; readonly id: string }
  | { readonly type: 'DeleteRunResultAsAdmin'; readonly id: string }

const named = z
  .object({ name: boundedText(LIMITS.rawName) })
  .nullish()
  .catch(null)
const exported = z.object({
  harborclientExport: z.enum(RUN_KINDS, { error: 'The payload is not an export of run results.' }),
  collection: named,
  request: named,
  results: z.array(z.unknown()).min(1, 'The payload has no results.')
})

/**
 * Decides on shared run results: any user shares, only the one who did, or an administrator, deletes. A token that is limited to
 * collections does so in those.
 */
export const runResultDeciders: Deciders<RunResultCommand> = {
  ShareRunResult({ id, label, payload }, { caller, now }) {
    requireUser(caller)
    requireRunChange(caller, ranIn(payload))
    return [emitRunResult(id, 'RunResultShared', { ...described(payload, label, now), payload })]
  },
  async DeleteRunResult({ id }, { caller, read }) {
    requireUser(caller)
    const row = await existing(runResults, id, read)
    requireRunChange(caller, row.collectionId)
    if (row.createdBy !== caller.userId) throw errors.forbidden()
    return [emitRunResult(id, 'RunResultDeleted', {})]
  },
  async DeleteRunResultAsAdmin({ id }, context) {
    await administered(runResults, { id }, context)
    return [emitRunResult(id, 'RunResultDeleted', {})]
  }
}

/** A run result, as refusals call it. */
export const runResults = { title: 'Run result', table: runResultsTable }

/** What the list shows of an export, read off the export itself. */
function described(payload: Payload, label: string | undefined, now: string) {
  const result = exported.safeParse(payload)
  if (!result.success) throw errors.runResultMalformed(result.error.issues[0]?.message)
  const { harborclientExport: kind, collection, request, results } = result.data
  const collectionName = collection?.name ?? null
  const requestName = request?.name ?? null
  const time = now.slice(0, 19).replace('T', ' ')
  return {
    kind,
    label: label ?? `${requestName || collectionName || 'Run'} — ${time}`,
    collectionName,
    requestName,
    summary: summaryOf(results)
  }
}

/** How many results there are of each status. */
function summaryOf(results: readonly unknown[]) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const one of results) {
    if (typeof one !== 'object' || one === null || !('status' in one)) continue
    const { status } = one
    if (status === 'passed' || status === 'failed' || status === 'skipped') counts[status]++
  }
  return counts
}
