import type { HubError } from '../errors.js'

export const SCIM_TYPE = 'application/scim+json'

/** What the types of error of RFC 7644, section 3.12, are of the hub's own refusals, by their codes. */
const TYPES: Readonly<Record<string, string>> = {
  'name-taken': 'uniqueness',
  'name-taken-by': 'uniqueness',
  'group-name-taken': 'uniqueness',
  'bound-elsewhere': 'uniqueness',
  'scim-refused': 'invalidValue'
}

/** A refusal as directories read it: a name that is taken is a conflict there. */
export function scimRefusal({ code, status, message, members }: HubError): {
  readonly status: number
  readonly text: string
} {
  const scimType = typeof members.scimType === 'string' ? members.scimType : TYPES[code]
  const told = scimType === 'uniqueness' ? 409 : status
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  return { status: told, text: JSON.stringify({ schemas, status: String(told), scimType, detail: message }) }
}
