import { z } from 'zod'
import { listOf } from '../../src/limits.js'
import { id, marker, name, reference, sent, text } from '../content.js'
import { BODY_TYPES, METHODS, PROTOCOLS } from './events.js'

/** A new request, as clients and agents send it. */
export const newRequest = z.object({
  name,
  method: z.enum(METHODS),
  url: text,
  headers: listOf(sent.keyValue),
  params: listOf(sent.keyValue),
  auth: sent.auth,
  body: text,
  bodyType: z.enum(BODY_TYPES),
  preRequestScript: text,
  postRequestScript: text,
  comment: text,
  protocol: z.enum(PROTOCOLS).default('http'),
  marker: marker.optional(),
  folderId: reference
})

/** What is put in place of a request, and in which collection. Not every client knows the protocol: without it, it stays. */
export const requestReplacement = newRequest.extend({ collectionId: id, protocol: z.enum(PROTOCOLS).optional() })
