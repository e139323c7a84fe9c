import {
  about,
  authBlock,
  type ContentOf,
  choice,
  colour,
  named,
  optional,
  pairs,
  type SubmittedOf,
  scripts,
  textual,
  url
} from '../fields.js'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const BODY_TYPES = ['none', 'json', 'text', 'multipart', 'urlencoded'] as const
export const PROTOCOLS = ['http', 'sse'] as const

/** A saved request. */
export const requestFields = {
  name: named,
  method: about('The HTTP method.', choice(METHODS, 'address')),
  url,
  headers: pairs,
  params: about('Query parameters, in the order in which they are sent.', pairs),
  auth: authBlock,
  body: about('The body, as `bodyType` says; empty for none.', textual('rest')),
  bodyType: about('What the body is: `none` sends no body, whatever `body` holds.', choice(BODY_TYPES)),
  ...scripts,
  comment: about('A note for people, as Markdown.', textual('rest')),
  protocol: about(
    'How the answer is read: at once (`http`) or as a stream of events (`sse`). Left out, it stays as it is.',
    optional(choice(PROTOCOLS), 'http')
  ),
  marker: colour
}
export type RequestContent = ContentOf<typeof requestFields>
export type SubmittedRequest = SubmittedOf<typeof requestFields>
