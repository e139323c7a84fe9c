import { isAdmin, managesPeople, readsAudit, seesRecords } from './session.js'

/** Who a place of the console is for: the others would only be refused there. */
export type PlaceFor = 'account' | 'records' | 'people' | 'audit' | 'admin'

const IS_FOR: Readonly<Record<PlaceFor, () => boolean>> = {
  account: () => true,
  records: () => seesRecords.value,
  people: () => managesPeople.value,
  audit: () => readsAudit.value,
  admin: () => isAdmin.value
}

/** Whether a place is for who is signed in. */
export const isPlaceFor = (who: PlaceFor): boolean => IS_FOR[who]()

/** Where who is signed in begins, as the first step of an address; null for the collections. */
export function firstStep(): string | null {
  if (seesRecords.value) return null
  return managesPeople.value ? 'people' : 'audit'
}
