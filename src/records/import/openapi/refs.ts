import type { Notes } from '../../formats/model.js'
import { type Fields, fields, text } from '../loose.js'

/** What a reference leads to may be one itself; so many in a row are followed. */
const HOPS = 20

/** Follows references within one document. Nothing else is ever read: no file, no address. */
export interface References {
  /** What a value is, or with a `$ref` leads to; an empty object where that is nowhere. */
  resolve(value: unknown): Fields
}

/** References within this document. What leads out of it is noted. */
export function referencesIn(document: Fields, notes: Notes): References {
  const known = new Map<string, unknown>()
  const at = (pointer: string): unknown => {
    if (known.has(pointer)) return known.get(pointer)
    let found: unknown = document
    for (const part of pointer.split('/').slice(1)) {
      const key = decodedPart(part)
      found = Array.isArray(found) ? found[Number(key)] : own(fields(found), key)
    }
    known.set(pointer, found)
    return found
  }
  return {
    resolve(value) {
      let found = fields(value)
      for (let hops = 0; typeof found.$ref === 'string'; hops++) {
        const ref = text(found.$ref)
        if (!ref.startsWith('#/') || hops >= HOPS) {
          const why = hops < HOPS ? 'leads out of the document and is not followed' : 'leads nowhere'
          notes.add(ref.slice(0, 200), `A reference ${why}.`)
          return {}
        }
        found = fields(at(ref))
      }
      return found
    }
  }
}

const own = (from: Fields, key: string): unknown => (Object.hasOwn(from, key) ? from[key] : undefined)

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}
