import { isUtf8 } from 'node:buffer'
import { unzipSync } from 'fflate'
import type { ImportBounds } from '../../config/importBounds.js'
import { errors, HubError } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { textIn } from './values.js'

/** True for the beginning of a zip archive. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/**
 * The text files of a zip archive by their paths. How many there are and what they say to be is checked before each is unpacked,
 * and none is unpacked beyond what it said: it is written into a buffer of that size.
 */
export function filesIn(
  archive: Uint8Array,
  { maxFiles, maxUnpackedBytes }: Pick<ImportBounds, 'maxFiles' | 'maxUnpackedBytes'>
): ReadonlyMap<string, string> {
  if (((archive[FLAGS] ?? 0) & LOCKED) !== 0)
    throw errors.importUnreadable('it is locked with a password. Pack it without one.')
  let [entries, bytes] = [0, 0]
  try {
    const unpacked = unzipSync(archive, {
      filter({ name, compression, size, originalSize }) {
        if (++entries > maxFiles) throw errors.importTooLarge(`more than ${maxFiles} files are in it`, 'maxFiles')
        const path = pathOf(name)
        if (path === null) return false
        bytes += compression === STORED ? size : originalSize
        if (bytes > maxUnpackedBytes)
          throw errors.importTooLarge(`it unpacks to more than ${maxUnpackedBytes} bytes`, 'maxUnpackedMb')
        return true
      }
    })
    return new Map(
      Object.entries(unpacked).map(([name, file]) => {
        if (!isUtf8(file))
          throw errors.importUnreadable(`${name} in it is not UTF-8. Save that as UTF-8, or leave it out.`)
        return [pathOf(name) ?? name, textIn(file)]
      })
    )
  } catch (error) {
    if (error instanceof HubError) throw error
    throw errors.importUnreadable('it is no zip archive, or a damaged one. Pack it anew.')
  }
}

/** Where the first file of an archive has its flags, and the one that says that its content is encrypted. */
const FLAGS = 6
const LOCKED = 1
/** How a file is packed that stands in the archive as it is: it is all of its size there, whatever that says of the other. */
const STORED = 0

const TEXTS = /\.(bru|json|har|md|markdown|ya?ml|js)$/i

/** The name of a file. Where an archive does not say that it is UTF-8, its bytes were taken for Latin 1; most are UTF-8 all the same. */
function nameIn(name: string): string {
  const bytes = Buffer.from(name, 'latin1')
  return isUtf8(bytes) && bytes.toString('latin1') === name ? bytes.toString() : name
}

/** The path of a file that may be read; null for folders and what is of no interest. Refuses a path that leads out. */
function pathOf(name: string): string | null {
  const whole = nameIn(name).replaceAll('\\', '/')
  // Some programs pack with a dot before each path.
  const parts = whole.split('/').filter((part) => part !== '.')
  const path = parts.join('/')
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || parts.includes('..'))
    throw errors.importUnreadable(
      'a file in it has a path that leads out of it. Pack the folder itself, and not what is beside it.'
    )
  if (parts.length > LIMITS.importFolders.max)
    throw errors.importTooLarge(`folders in it nest deeper than ${LIMITS.importFolders.max}`)
  return TEXTS.test(path) && !parts.some(isHidden) ? path : null
}

/** Where Postman keeps what belongs to a collection, a folder or a request, and HarborClient all of a repository. */
const SHOWN = ['.resources', '.harborclient']
const isHidden = (part: string) => (part.startsWith('.') && !SHOWN.includes(part)) || part === '__MACOSX'
