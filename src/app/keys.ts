import { type MadeKey, madeKeys } from '../config/keys.js'
import type { HubConfig } from '../config/types.js'
import { isOpenToOthers } from '../lib/files.js'
import { faultOfKey } from '../lib/keyFile.js'

/** Where it is told that others can read a key; a pino logger is one. */
interface KeyLog {
  warn(details: object, message: string): void
}

/** Throws `UnusableKey` where one of the keys that are made where they are first needed is there and cannot be used. */
export function lookAtKeys(config: HubConfig, log: KeyLog): void {
  for (const { section, file, what } of madeKeys(config)) {
    const fault = faultOfKey(file, what)
    if (fault) throw fault
    if (isOpenToOthers(file)) log.warn({ file, key: `${section}.keyFile` }, 'a key can be read by others')
  }
}

/** Why the sections cannot be taken over whose key is there and cannot be used. */
export type FaultsOfKeys = { readonly [Section in MadeKey['section']]?: string | undefined }

/** Looks at the keys of a configuration; a section without a fault is not in the answer, or undefined. */
export function faultsOfKeys(config: HubConfig): FaultsOfKeys {
  return Object.fromEntries(
    madeKeys(config).map(({ section, file, what }) => [section, faultOfKey(file, what)?.message])
  )
}
