import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Hub } from '../../app/hub.js'
import { type ListQuery, type ListResponse, listQuery } from '../../directory/list.js'
import { type Change, patchBody, understood } from '../../directory/patch.js'
import { HubError } from '../../errors.js'
import { done } from '../reply.js'
import { type RouteCall, routes } from '../route.js'
import { answered, made, type Resource, resourceReply, SCIM, scimListReply } from '../scim.js'

/** What changes of a resource are made with. */
export type ScimCall = Pick<RouteCall<unknown, unknown>, 'hub' | 'request' | 'run'>

/** A kind of resource that directories keep: what is told of its routes, and what they come to. */
export interface ScimKind<B extends z.ZodType> {
  readonly name: 'User' | 'Group'
  readonly one: string
  readonly many: string
  readonly body: B
  /** Where its bodies may be larger than is usual. */
  readonly takes?: 'content'
  /** With what its creation is refused. */
  readonly refuses: readonly number[]
  readonly about: Readonly<Record<'list' | 'create' | 'get' | 'replace' | 'patch' | 'remove', string>>
  list(hub: Hub, query: ListQuery): Promise<ListResponse>
  get(hub: Hub, id: string, query: ListQuery): Promise<Resource>
  /** Makes it under this id, unless it is there already under another one; returns that under which it is. */
  create(call: ScimCall, id: string, body: z.infer<B>): Promise<string>
  replace(call: ScimCall, id: string, body: z.infer<B>): Promise<unknown>
  patch(call: ScimCall, id: string, operations: readonly Change[]): Promise<unknown>
  remove(call: ScimCall, id: string): Promise<unknown>
}

/** The routes of a kind of resource, as a directory keeps it (RFC 7644). */
export function scimRoutes<B extends z.ZodType>(app: FastifyInstance, kind: ScimKind<B>): void {
  const { name, one, many, body, takes, refuses, about } = kind
  const route = routes(app, 'directory')
  const all = `/scim/v2/${name}s`
  const told = { speaks: SCIM } as const
  const written = { ...told, isTagged: true, ...(takes && { takes }) } as const
  const changed = { ...written, takesIfMatch: true, refuses: [409] } as const
  const reply = async (hub: Hub, id: string, query: ListQuery = {}) =>
    resourceReply(await kind.get(hub, id, query), 200, query)

  route('GET', all, `listScim${name}s`, answered, {
    summary: `List ${many}, as a directory does`,
    ...{ ...told, query: listQuery, about: about.list },
    handle: async ({ hub, query }) => scimListReply(await kind.list(hub, query))
  })

  route('POST', all, `createScim${name}`, made, {
    summary: `Make ${one}, as a directory does`,
    ...{ ...written, refuses, body, takesKey: false, about: about.create },
    handle: async ({ body, ...call }) => {
      const id = await kind.create(call, randomUUID(), body)
      const resource = await kind.get(call.hub, id, {})
      call.reply.header('location', resource.meta.location)
      return resourceReply(resource, 201, {})
    }
  })

  route('GET', `${all}/:id`, `getScim${name}`, answered, {
    summary: `Get ${one}, as a directory does`,
    ...{ ...told, isTagged: true, query: listQuery, about: about.get },
    handle: ({ hub, params, query }) => reply(hub, params.id, query)
  })

  route('PUT', `${all}/:id`, `replaceScim${name}`, answered, {
    summary: `Have ${one} be as a directory says`,
    ...{ ...changed, body, about: about.replace },
    handle: async ({ params: { id }, body, ...call }) => {
      await kind.replace(call, id, body)
      return reply(call.hub, id)
    }
  })

  route('PATCH', `${all}/:id`, `patchScim${name}`, answered, {
    summary: `Change ${one}, as a directory does`,
    ...{ ...changed, body: patchBody, about: about.patch },
    handle: async ({ params: { id }, body, ...call }) => {
      await kind.patch(call, id, understood(name, body.Operations))
      return reply(call.hub, id)
    }
  })

  route('DELETE', `${all}/:id`, `deleteScim${name}`, null, {
    summary: `Delete ${one}, as a directory does`,
    ...{ ...told, takesIfMatch: true, about: about.remove },
    handle: ({ params, ...call }) => done(kind.remove(call, params.id))
  })
}

/** So often a change is made anew on what others have changed meanwhile. */
const ATTEMPTS = 5

/** Makes a change on the state that was read, again where somebody else was faster, unless a client has said of which state. */
export async function onWhatIsThere(change: () => Promise<unknown>, isOfOneState: boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await change()
      return
    } catch (error) {
      if (isOfOneState || attempt === ATTEMPTS || !(error instanceof HubError) || error.status !== 412) throw error
    }
  }
}
