import { errors, type HubError } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'

const FORM = /^[A-Za-z0-9_-]+$/

/** Why a text is no id of a tenant; null where it is one. Ids are told apart by case. */
export function tenantIdRefusal(text: string): HubError | null {
  if (!FORM.test(text)) return errors.tenantMalformed()
  const { max } = LIMITS.tenantId
  return text.length > max ? errors.tenantTooLong(max) : null
}
