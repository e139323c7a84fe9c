import {
  authBlock,
  type ContentOf,
  choice,
  colour,
  kept,
  named,
  pairs,
  type SubmittedOf,
  textual,
  url
} from '../fields.js'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const BODY_TYPES = ['none', 'json', 'text', 'multipart', 'urlencoded'] as const
export const PROTOCOLS = ['http', 'sse'] as const

/** A saved request. */
export const requestFields = {
  name: named,
  method: choice(METHODS, 'address'),
  url,
  headers: pairs,
  params: pairs,
  auth: authBlock,
  body: textual('rest'),
  bodyType: choice(BODY_TYPES),
  preRequestScript: textual('rest'),
  postRequestScript: textual('rest'),
  comment: textual('rest'),
  protocol: kept(choice(PROTOCOLS), 'http'),
  marker: colour
}
export type RequestContent = ContentOf<typeof requestFields>
export type SubmittedRequest = SubmittedOf<typeof requestFields>
