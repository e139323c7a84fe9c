import type { FastifyInstance } from 'fastify'
import { GROUP_SCHEMA, scim, USER_SCHEMA } from '../../directory/library.js'
import { listOfResources } from '../../directory/list.js'
import { LIMITS } from '../../limits.js'
import { declared, routes } from '../route.js'
import { answered, SCIM, scimBase, scimListReply, scimReply } from '../scim.js'

const told = { speaks: SCIM } as const
const SERVICE = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: LIMITS.scimPage.max },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'A token of the hub', description: 'One with the scope `scim`.' }
  ]
}
const TYPES = [
  { id: 'User', endpoint: '/Users', schema: USER_SCHEMA },
  { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA }
]

/** What SCIM tells of a service (RFC 7644, section 4). */
export function scimServiceRoutes(app: FastifyInstance): void {
  const route = routes(app, 'directory')

  const configuration = declared('getScimConfiguration', 'Tell what of SCIM the hub does', answered, {
    ...told,
    about: 'RFC 7643, section 5.'
  })
  route('GET', '/scim/v2/ServiceProviderConfig', configuration, async ({ hub }) => {
    const location = `${scimBase(hub)}/ServiceProviderConfig`
    return scimReply({ ...SERVICE, meta: { resourceType: 'ServiceProviderConfig', location } })
  })

  const types = declared('listScimResourceTypes', 'List what a directory may keep', answered, {
    ...told,
    about: 'RFC 7643, section 6.'
  })
  route('GET', '/scim/v2/ResourceTypes', types, async ({ hub }) => {
    const all = await listOfResources(TYPES, {}, async ({ id, ...type }) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      ...{ id, name: id, ...type },
      meta: { resourceType: 'ResourceType', location: `${scimBase(hub)}/ResourceTypes/${id}` }
    }))
    return scimListReply(all)
  })

  const schemas = declared('listScimSchemas', 'List the schemas of what a directory may keep', answered, {
    ...told,
    about: 'Those of RFC 7643, of which the hub keeps a part: what it does not keep is left out.'
  })
  route('GET', '/scim/v2/Schemas', schemas, async ({ hub }) => {
    const { Schemas } = await scim()
    const all = [Schemas.User.definition, Schemas.Group.definition]
    return scimListReply(await listOfResources(all, {}, async (one) => one.describe(`${scimBase(hub)}/Schemas`)))
  })
}
