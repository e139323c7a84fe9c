import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import type { Hub } from '../../app/hub.js'
import { GROUP_SCHEMA, scim, USER_SCHEMA } from '../../directory/library.js'
import { listOfResources } from '../../directory/list.js'
import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { routes } from '../route.js'
import { answered, SCIM, scimBase, scimListReply, scimReply } from '../scim.js'

const speaksScim = { speaks: SCIM } as const
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
const byName = z.object({ id: id.describe('What it is called.') })
const TYPES = [
  { id: 'User', endpoint: '/Users', schema: USER_SCHEMA },
  { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA }
]

async function definitions() {
  const { Schemas } = await scim()
  return [Schemas.User.definition, Schemas.Group.definition]
}

/** What SCIM tells of a service (RFC 7644, section 4). */
export function scimServiceRoutes(app: FastifyInstance): void {
  const route = routes(app, 'directory')

  route('GET', '/scim/v2/ServiceProviderConfig', 'getScimConfiguration', answered, {
    summary: 'Tell what of SCIM the hub does',
    about: 'RFC 7643, section 5.',
    ...speaksScim,
    handle: async ({ hub }) => {
      const location = `${scimBase(hub)}/ServiceProviderConfig`
      return scimReply({ ...SERVICE, meta: { resourceType: 'ServiceProviderConfig', location } })
    }
  })

  const typeOf = async (hub: Hub, { id, ...type }: (typeof TYPES)[number]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    ...{ id, name: id, ...type },
    meta: { resourceType: 'ResourceType', location: `${scimBase(hub)}/ResourceTypes/${id}` }
  })
  route('GET', '/scim/v2/ResourceTypes', 'listScimResourceTypes', answered, {
    summary: 'List what a directory may keep',
    about: 'RFC 7643, section 6.',
    ...speaksScim,
    handle: async ({ hub }) => {
      return scimListReply(await listOfResources(TYPES, {}, (one) => typeOf(hub, one)))
    }
  })

  route('GET', '/scim/v2/ResourceTypes/:id', 'getScimResourceType', answered, {
    summary: 'Get one of what a directory may keep',
    ...{ ...speaksScim, params: byName, about: 'RFC 7643, section 6.' },
    handle: async ({ hub, params }) => {
      const found = TYPES.find(({ id }) => id === params.id)
      if (!found) throw errors.notFound('Resource type')
      return scimReply(await typeOf(hub, found))
    }
  })

  route('GET', '/scim/v2/Schemas', 'listScimSchemas', answered, {
    summary: 'List the schemas of what a directory may keep',
    about: 'Those of RFC 7643, of which the hub keeps a part: what it does not keep is left out.',
    ...speaksScim,
    handle: async ({ hub }) => {
      const all = await definitions()
      return scimListReply(await listOfResources(all, {}, async (one) => one.describe(`${scimBase(hub)}/Schemas`)))
    }
  })

  route('GET', '/scim/v2/Schemas/:id', 'getScimSchema', answered, {
    summary: 'Get the schema of what a directory may keep',
    ...{ ...speaksScim, params: byName, about: 'By its URN.' },
    handle: async ({ hub, params }) => {
      const found = (await definitions()).find(({ id }) => id === params.id)
      if (!found) throw errors.notFound('Schema')
      return scimReply(found.describe(`${scimBase(hub)}/Schemas`))
    }
  })
}
