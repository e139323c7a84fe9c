import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ownedUser } from '../../../commands/people/user/decide.js'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { nameKey } from '../../../projections/keys.js'
import { usersTable } from '../../../projections/users.js'
import type { UserRow } from '../../../queries/callers.js'
import { listUsers } from '../../../queries/users.js'
import type { Hub } from '../../app/hub.js'
import { GROUP_SCHEMA, scim, USER_SCHEMA } from '../../directory/library.js'
import { type ListQuery, listOfResources, listQuery, nameAsked } from '../../directory/list.js'
import { patchBody, patched, understood } from '../../directory/patch.js'
import { provisioned, sentUser, userResource } from '../../directory/users.js'
import { HubError } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { publicUrl } from '../../net/serverUrl.js'
import { keyOf } from '../../signIn/subject.js'
import type { ReadStore } from '../../storage/storage.js'
import { parse } from '../parse.js'
import { noContent } from '../reply.js'
import { declared, routes } from '../route.js'
import { answered, expectedAccounts, resourceReply, SCIM, scimReply } from '../scim.js'
import { byId, changedById } from './input.js'

const told = { speaks: SCIM } as const
/** So often a change is made anew on what others have changed meanwhile. */
const ATTEMPTS = 5

/** Where directories find what they keep. */
export function scimBase({ config }: Hub): string {
  return `${publicUrl(config.server).replace(/\/+$/, '')}/scim/v2`
}

/** Makes a change on the state that was read, again where somebody else was faster, unless a client has said of which state. */
export async function onWhatIsThere<T>(change: () => Promise<T>, isOfOneState: boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (isOfOneState || attempt === ATTEMPTS || !(error instanceof HubError) || error.status !== 412) throw error
    }
  }
}

/** What SCIM tells of a service, and accounts as a directory keeps them (RFC 7644). */
export function scimRoutes(app: FastifyInstance): void {
  const route = routes(app, 'directory')

  const configuration = declared(
    'getScimConfiguration',
    'Tell what of SCIM the hub does',
    { 200: answered },
    { ...told, about: 'RFC 7643, section 5.' }
  )
  route('GET', '/scim/v2/ServiceProviderConfig', configuration, async ({ hub }) =>
    scimReply({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: LIMITS.scimPage.max },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [
        { type: 'oauthbearertoken', name: 'A token of the hub', description: 'One with the scope `scim`.' }
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: `${scimBase(hub)}/ServiceProviderConfig` }
    })
  )

  const types = declared(
    'listScimResourceTypes',
    'List what a directory may keep',
    { 200: answered },
    { ...told, about: 'RFC 7643, section 6.' }
  )
  route('GET', '/scim/v2/ResourceTypes', types, async ({ hub }) => {
    const all = [
      { id: 'User', endpoint: '/Users', schema: USER_SCHEMA },
      { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA }
    ]
    return scimReply(
      await listOfResources(all, {}, async ({ id, ...type }) => ({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
        ...{ id, name: id, ...type },
        meta: { resourceType: 'ResourceType', location: `${scimBase(hub)}/ResourceTypes/${id}` }
      }))
    )
  })

  const schemas = declared(
    'listScimSchemas',
    'List the schemas of what a directory may keep',
    { 200: answered },
    { ...told, about: 'Those of RFC 7643, of which the hub keeps a part: what it does not keep is left out.' }
  )
  route('GET', '/scim/v2/Schemas', schemas, async ({ hub }) => {
    const { Schemas } = await scim()
    const all = [Schemas.User.definition, Schemas.Group.definition]
    return scimReply(await listOfResources(all, {}, async (one) => one.describe(`${scimBase(hub)}/Schemas`)))
  })

  const list = declared(
    'listScimUsers',
    'List accounts, as a directory does',
    { 200: answered },
    {
      ...told,
      query: listQuery,
      about: `By name, ${LIMITS.scimPage.max} at most at once. A filter of \`userName eq\` looks the name up, in whatever case.`
    }
  )
  route('GET', '/scim/v2/Users', list, async ({ hub, query }) => {
    const { readModel } = hub.ledger
    const resourceOf = (row: UserRow) => userResource(row, scimBase(hub), readModel)
    return scimReply(await listOfResources(...(await usersAsked(query, readModel)), resourceOf))
  })

  const creation = declared(
    'createScimUser',
    'Make an account, as a directory does',
    { 201: answered },
    {
      ...told,
      refuses: [409],
      isTagged: true,
      body: sentUser,
      takesKey: false,
      about:
        'It may use nothing yet, and has no token. What is not kept is left out, passwords among it. Where a provider of sign-in says that its subjects are the external ids, the account is bound to that.'
    }
  )
  route('POST', '/scim/v2/Users', creation, async ({ hub, body, run }) => {
    const id = randomUUID()
    const user = provisioned(body)
    await run({ type: 'ProvisionUser', id, user, signIn: signInOf(hub, user) })
    return userReply(hub, id, 201)
  })

  const getting = declared(
    'getScimUser',
    'Get an account, as a directory does',
    { 200: answered },
    {
      ...told,
      ...byId,
      isTagged: true,
      query: listQuery,
      about: 'Its `meta.version` says which state it is in, and is its tag.'
    }
  )
  route('GET', '/scim/v2/Users/:id', getting, async ({ hub, params, query }) => userReply(hub, params.id, 200, query))

  const replacing = declared(
    'replaceScimUser',
    'Have an account be as a directory says',
    { 200: answered },
    {
      ...told,
      ...changedById,
      isTagged: true,
      refuses: [409],
      body: sentUser,
      about:
        '`active` false lets nothing in as it any more: its tokens, sessions and streams end. `active` true lets it in again where a directory has disabled it: what an administrator has disabled stays so, and is answered with `active` false. Where it is left out, that stays as it is; of the rest, what is left out is told no more.'
    }
  )
  route('PUT', '/scim/v2/Users/:id', replacing, async ({ hub, params, body, request, run }) => {
    const ifRevision = expectedAccounts(request)
    await run({ type: 'UpdateProvisionedUser', id: params.id, user: provisioned(body), ifRevision })
    return userReply(hub, params.id, 200)
  })

  const patching = declared(
    'patchScimUser',
    'Change an account, as a directory does',
    { 200: answered },
    {
      ...told,
      ...changedById,
      isTagged: true,
      refuses: [409],
      body: patchBody,
      about: 'The operations of RFC 7644, section 3.5.2: all of them, or none.'
    }
  )
  route('PATCH', '/scim/v2/Users/:id', patching, async ({ hub, params, body, request, run }) => {
    const { readModel } = hub.ledger
    const operations = understood('User', body.Operations)
    const expected = expectedAccounts(request)
    const change = async () => {
      const row = await ownedUser(params.id, readModel)
      const after = await patched('User', await userResource(row, scimBase(hub), readModel), operations)
      const user = provisioned(parse(sentUser, after, 'body'))
      const ifRevision = [row.revision].filter((one) => !expected || expected.includes(one))
      await run({ type: 'UpdateProvisionedUser', id: params.id, user, ifRevision })
    }
    await onWhatIsThere(change, expected !== undefined)
    return userReply(hub, params.id, 200)
  })

  const deletion = declared('deleteScimUser', 'Delete an account, as a directory does', null, {
    ...told,
    ...changedById,
    about: 'Its tokens and sessions go with it; what it has made stays. `active` false is the gentler way.'
  })
  route('DELETE', '/scim/v2/Users/:id', deletion, async ({ params, request, run }) => {
    await run({ type: 'DeleteUser', id: params.id, ifRevision: expectedAccounts(request) })
    return noContent
  })
}

async function userReply(hub: Hub, id: string, status: number, query: ListQuery = {}) {
  const { readModel } = hub.ledger
  const resource = await userResource(await ownedUser(id, readModel), scimBase(hub), readModel)
  return resourceReply(resource, status, query)
}

/** The accounts that a directory asks for, with what of the question is still to be asked of them. */
async function usersAsked(query: ListQuery, read: ReadStore): Promise<[readonly UserRow[], ListQuery]> {
  const name = nameAsked(query.filter, 'userName')
  if (name === null) return [await listUsers(read), query]
  const found = await read.list(usersTable, 'byNameKey', [nameKey(name)])
  return [found.filter(({ id }) => id !== SYSTEM_ID), { ...query, filter: undefined }]
}

/** As whom an account signs in, where a provider says that its subjects are the external ids of the directory; else null. */
function signInOf({ signIn }: Hub, { name, details: { externalId } }: ReturnType<typeof provisioned>) {
  const provider = signIn?.providers.find(({ config }) => config.externalIdIsSubject)
  if (!provider || externalId === null) return null
  const { id, issuer } = provider.config
  const subject = { provider: id, issuer, subject: externalId, name, key: keyOf({ issuer, subject: externalId }) }
  return { id: randomUUID(), subject }
}
