import { z } from 'zod'
import { KINDS } from '../../commands/records/kinds.js'
import { RELOADED_SECTIONS } from '../app/reload.js'
import { avatar, ownId, roles, texts, thisHub, token, user } from './answers.js'
import { named } from './openapi/names.js'

/** What the routes about the hub itself answer, for the description of the interface. */

const grantedIds = z.array(ownId).optional()
export const session = named('Session', 'Whose token it is, and what it may do.', {
  user: z
    .object({ id: ownId, name: user.shape.name, ...roles, ...avatar })
    .describe('The account that the token belongs to.'),
  token: z
    .object({
      id: ownId,
      prefix: token.shape.tokenPrefix,
      expiresAt: z.iso.datetime().optional().describe('Until when it is in force; left out where it has no end.'),
      scopes: z.array(z.string()).optional().describe('What it is limited to; left out where it is not limited.')
    })
    .describe('The token that the request was sent with.'),
  capabilities: z
    .object({
      dataApi: z.boolean().describe('Whether it works with collections, environments, snippets and the other records.'),
      managementApi: z.boolean().describe('Whether it may call what is for administrators.'),
      llm: z.boolean().describe('Whether it may use models.'),
      communication: z.boolean().describe('Whether it reads discussions and notices.'),
      discussionE2ee: z.boolean().describe('Whether the hub takes comments only as devices have encrypted them.')
    })
    .describe('What the token may do.'),
  mayCreate: z
    .array(z.enum(KINDS))
    .describe('The kinds of which the account may make new records that stand by themselves.'),
  viewed: grantedIds.describe('The ids of records that it may look at and not change; left out where there are none.'),
  managed: grantedIds.describe('The ids of records that it shares as their manager; left out where there are none.'),
  tenantId: z.string().describe('The id of the tenant that the account is in.'),
  hub: thisHub.describe('The hub, and what stands for it.')
})
export const pluginSources = named('PluginSources', 'Where plugins of clients come from.', {
  catalogs: texts.describe('The URLs of catalogues of plugins.'),
  trusted: texts.describe('The URLs of lists of trusted publishers.')
})

const reloaded = {
  status: z
    .enum(['reloaded', 'unchanged', 'failed', 'restart-required'])
    .describe('What became of it: in force, as before, refused, or in force after a restart.'),
  error: z.string().optional().describe('Why it was refused.')
}
const section = (name: z.ZodType) => ({ section: name.describe('The section of the configuration file.'), ...reloaded })
const sections = z
  .array(z.object(section(z.enum(RELOADED_SECTIONS))))
  .describe('What became of the sections that clients know.')
export const reloadReport = named('ReloadReport', 'What became of the sections of a configuration file.', {
  sections,
  others: z
    .array(z.object(section(z.string())))
    .optional()
    .describe('What became of further sections, where there are some.')
})
/** What a file that cannot be used is answered with: nothing has changed. */
export const reloadRefusal = named('ReloadRefusal', 'That a configuration file cannot be used: nothing has changed.', {
  sections,
  fatalError: z.string().describe('What is wrong with the file.'),
  error: z.string().describe('The same, as every refusal has it.')
})

export const health = named('Health', 'That the hub runs.', {
  status: z.literal('ok').describe('`ok`: the process answers.'),
  version: z.string().describe('The version of the hub.')
})
export const readiness = named('Readiness', 'Whether everything works that requests need.', {
  status: z.enum(['ok', 'error']).describe('`error` where one of the checks has failed.'),
  version: health.shape.version,
  checks: z
    .record(
      z.string(),
      z
        .object({
          status: z.enum(['ok', 'error']).describe('What the check has found.'),
          error: z.string().optional().describe('Why it failed.'),
          warning: z.string().optional().describe('What somebody should look at, though it works.')
        })
        .describe('A check.')
    )
    .describe('The checks, by name.')
})
