import { z } from 'zod'
import { errors, HubError } from '../errors.js'

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

const refused = z.object({ status: z.number().optional(), scimType: z.string().optional(), message: z.string() })

/** Runs what the library makes of what was sent: whatever it throws is a refusal of that. */
export async function asSent<T>(scimType: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HubError) throw error
    const { data } = refused.safeParse(error)
    // What is no error of its own it has not understood.
    const isOwn = data?.scimType !== undefined
    throw errors.scimRefused(isOwn ? data.message : 'It is not as SCIM has it.', (isOwn && data.scimType) || scimType)
  }
}
