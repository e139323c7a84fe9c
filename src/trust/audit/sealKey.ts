import { existsSync } from 'node:fs'
import { isOpenToOthers } from '../../lib/files.js'
import { keyIn } from '../../lib/keyFile.js'
import { type Keyring, PLAIN, type Sealing, sealingWith } from '../../log/chain.js'

/** Where the keys of a chain are. */
export interface SealKeyFiles {
  /** The key in force; absent where the chain is not sealed. */
  readonly sealKeyFile?: string | undefined
  /** Those that were in force before, for verification. */
  readonly formerSealKeyFiles: readonly string[]
}

/** The sealing with the key in a file. Throws `UnusableKey` where it cannot be read or does not hold 32 bytes. */
export function readSealing(file: string): Sealing {
  return sealingWith(keyIn(file, "The chain's key"))
}

/** The keys that a configuration names. Throws `UnusableKey`. */
export function readKeyring({ sealKeyFile, formerSealKeyFiles }: SealKeyFiles): Keyring {
  const inForce = sealKeyFile === undefined ? PLAIN : readSealing(sealKeyFile)
  return { inForce, former: formerSealKeyFiles.map(readSealing) }
}

/** The same, where the key in force may have no file yet, since nothing was sealed with it. Throws `UnusableKey`. */
export function keysAtHand(files: SealKeyFiles): Keyring {
  const { sealKeyFile: file, ...others } = files
  return readKeyring(file !== undefined && existsSync(file) ? files : others)
}

/** The files of keys that somebody else than their owner may read or write. */
export function exposedKeys({ sealKeyFile, formerSealKeyFiles }: SealKeyFiles): readonly string[] {
  return [...(sealKeyFile === undefined ? [] : [sealKeyFile]), ...formerSealKeyFiles].filter(isOpenToOthers)
}
