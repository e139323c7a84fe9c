import { z } from 'zod'
import { alike, id } from '../../../commands/content.js'
import { account, eachAccessListOf } from '../../../commands/people/user/events.js'
import { boundedText, LIMITS, listOf } from '../../limits.js'

const EMPTY_ENTRY = 'Access entries must not be empty.'
const TOO_MANY = `Access lists hold at most ${LIMITS.accessList.max} entries.`
const accessList = listOf(boundedText(LIMITS.id).min(1, EMPTY_ENTRY).pipe(id), LIMITS.accessList, TOO_MANY)
const modelList = listOf(
  boundedText(LIMITS.modelId)
    .min(1, EMPTY_ENTRY)
    .regex(/^[\x21-\x7e]+$/, 'Model ids are printable ASCII without spaces.'),
  LIMITS.accessList,
  TOO_MANY
)
const monthlyLimit = z.int().min(0).nullable()
const of = account.shape

/** What a new account or group may use, as administrators send it: nothing where they say nothing. */
export const newAccess = {
  ...eachAccessListOf(accessList.default([])),
  llmAccess: alike(z.boolean().default(false), of.llmAccess),
  llmModels: alike(modelList.default([]), of.llmModels),
  llmMonthlyTokenLimit: alike(monthlyLimit.default(null), of.llmMonthlyTokenLimit)
}

/** The same of one that is there: what is left out stays. */
export const changedAccess = {
  ...eachAccessListOf(accessList.optional()),
  llmAccess: alike(z.boolean().optional(), of.llmAccess),
  llmModels: alike(modelList.optional(), of.llmModels),
  llmMonthlyTokenLimit: alike(monthlyLimit.optional(), of.llmMonthlyTokenLimit)
}
