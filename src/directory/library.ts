import { once } from '../lib/once.js'

/** What knows the schemas of SCIM; it is loaded with its first use. */
export const scim = once(async () => (await import('scimmy')).default)

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
