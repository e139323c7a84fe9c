import { closeSync, openSync, readSync } from 'node:fs'
import { LIMITS } from '../limits.js'

/** The text of a file that holds one value, a mounted secret or a certificate; or why it cannot be used. */
export function readSmallFile(path: string): { readonly text: string } | { readonly why: string } {
  const { max } = LIMITS.secretFile
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(max + 1)
      let length = 0
      for (let read = -1; read !== 0 && length <= max; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null)
      if (length > max) return { why: `The file ${path} is longer than ${max} bytes.` }
      return { text: bytes.toString('utf8', 0, length) }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return { why: `The file ${path} cannot be read (${code}).` }
  }
}
