import { z } from 'zod'
import { auth, itemCreated, itemPosition, itemRemoval, itemUpdated, keyValue, restored, wholeItem } from '../content.js'
import { emitter, event } from '../event.js'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const BODY_TYPES = ['none', 'json', 'text', 'multipart', 'urlencoded'] as const
export const PROTOCOLS = ['http', 'sse'] as const

export const requestContent = z.object({
  name: z.string(),
  method: z.enum(METHODS),
  url: z.string(),
  headers: z.array(keyValue),
  params: z.array(keyValue),
  auth,
  body: z.string(),
  bodyType: z.enum(BODY_TYPES),
  preRequestScript: z.string(),
  postRequestScript: z.string(),
  comment: z.string(),
  protocol: z.enum(PROTOCOLS),
  marker: z.string().nullable()
})
export type RequestContent = z.infer<typeof requestContent>

/** What stays as it is where a client leaves it out, and what it is at first. */
export const keptOfRequest = z.object({
  protocol: z.enum(PROTOCOLS).default('http'),
  marker: z.string().nullable().default(null)
})

export const requestEvents = {
  RequestCreated: itemCreated(requestContent),
  RequestUpdated: itemUpdated(requestContent),
  RequestMoved: event(itemPosition),
  RequestDeleted: event(itemRemoval),
  RequestRestored: restored(wholeItem(requestContent))
}
export const emitRequest = emitter('request', requestEvents)
