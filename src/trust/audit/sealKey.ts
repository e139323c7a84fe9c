import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { codeOf, isOpenToOthers, writePrivate } from '../../lib/files.js'
import { type Keyring, PLAIN, type Sealing, sealingWith } from '../../log/chain.js'

const KEY_BYTES = 32

/** Where the keys of a chain are. */
export interface SealKeyFiles {
  /** The key in force; absent where the chain is not sealed. */
  readonly sealKeyFile?: string | undefined
  /** Those that were in force before, for verification. */
  readonly formerSealKeyFiles: readonly string[]
}

/** The key in a file cannot be used; the message names the file and says why. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** Writes a fresh key into a new file, for its owner alone. Throws the file system's error: `EEXIST` where there is a file. */
export function makeSealKey(file: string): void {
  writePrivate(file, randomBytes(KEY_BYTES))
}

/** The sealing with the key in a file. Throws `UnusableKey` where it cannot be read or does not hold 32 bytes. */
export function readSealing(file: string): Sealing {
  const key = read(file)
  if (key.length !== KEY_BYTES)
    throw new UnusableKey(`The chain's key ${file} must hold ${KEY_BYTES} bytes, and it holds ${key.length}.`)
  return sealingWith(key)
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

function read(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    const code = codeOf(cause) ?? 'unknown error'
    throw new UnusableKey(`The chain's key cannot be read: ${file} (${code})`, { cause })
  }
}
