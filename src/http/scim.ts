import { z } from 'zod'
import { SCIM_TYPE, scimRefusal } from '../directory/refusal.js'
import { freeObject } from '../limits.js'
import type { Dialect } from './openapi/description.js'
import { named } from './openapi/names.js'
import type { Reply } from './reply.js'

/** SCIM, as RFC 7644 has it: its content type, and its form of a refusal. */
export const SCIM: Dialect = {
  contentType: SCIM_TYPE,
  refusal: named('ScimError', 'A refusal, as directories read it.', {
    schemas: z.array(z.string()).describe('That it is one.'),
    status: z.string().describe('The status, as a text.'),
    scimType: z.string().optional().describe('What is wrong, in a word of RFC 7644; left out where it has none.'),
    detail: z.string().describe('Why, as a text for people.')
  }),
  refused: scimRefusal
}

/** A resource, or a list of them: its fields are those of RFC 7643. */
const resource = named(
  'ScimResource',
  'A user, a group, or a list of them, as RFC 7643 and 7644 have it.',
  freeObject('A resource.')
)
export const answered = { [SCIM_TYPE]: resource }

/** An answer in SCIM. */
export function scimReply(value: object, status = 200): Reply {
  return { status, body: JSON.stringify(value), contentType: SCIM_TYPE }
}
