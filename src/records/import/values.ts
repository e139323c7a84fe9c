import { isUtf8 } from 'node:buffer'
import type { ImportBounds } from '../../config/importBounds.js'
import { errors, HubError } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { readJson } from '../formats/json.js'
import { yamlValue } from './yaml.js'

/** How archives of gzip, RAR and 7-Zip begin. */
const ARCHIVES = [[0x1f, 0x8b], [...Buffer.from('Rar!\x1a\x07')], [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]]

/** The text of these bytes, without a byte order mark. Refuses what is not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  if (ARCHIVES.some((start) => start.every((byte, i) => bytes[i] === byte)))
    throw errors.importUnreadable('it is an archive of another kind. Pack it as a zip archive.')
  if (!isUtf8(bytes)) throw errors.importUnreadable('it is not UTF-8. Where it is a text, save it as UTF-8 first.')
  return textIn(bytes)
}

/** The text of bytes that are UTF-8, without a byte order mark. */
export const textIn = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString()
    .replace(/^\uFEFF/, '')

type ValueBounds = Pick<ImportBounds, 'maxValues' | 'maxYamlParts'>

/** The value of a JSON or YAML text. Refuses more values, or deeper ones, than the limits say. */
export function parsedValue(text: string, bounds: ValueBounds): unknown {
  const isJson = /^\s*[[{]/.test(text)
  const value = isJson ? jsonOf(text, bounds) : yamlOf(text, bounds)
  const refusal = refusalOf(value, bounds)
  if (refusal) throw refusal
  return value
}

function jsonOf(text: string, bounds: ValueBounds): unknown {
  try {
    return readJson(text)
  } catch (error) {
    // A flow collection of YAML begins like JSON.
    if (text.length < 1_000_000 && /^\s*\{\s*[A-Za-z]/.test(text)) return yamlOf(text, bounds)
    throw unreadable('JSON', error)
  }
}

function yamlOf(text: string, bounds: ValueBounds): unknown {
  try {
    return yamlValue(text, bounds)
  } catch (error) {
    if (error instanceof HubError) throw error
    throw unreadable('YAML', error)
  }
}

function unreadable(format: string, error: unknown): HubError {
  const why = error instanceof Error ? error.message.split('\n')[0]?.slice(0, 200) : ''
  return errors.importUnreadable(`it is no ${format}: ${why}. Where it is cut off, save it anew where it comes from.`)
}

/** Why a value must not be looked at any further; null where it may be. What is named in several places counts in each. */
function refusalOf(value: unknown, { maxValues }: ValueBounds): HubError | null {
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.importDepth.max)
      return errors.importTooLarge(`it nests deeper than ${LIMITS.importDepth.max} levels`)
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      const inside = Object.values(one)
      count += inside.length
      if (count > maxValues) return errors.importTooLarge(`there are more than ${maxValues} values in it`, 'maxValues')
      for (const value of inside) next.push(value)
    }
    level = next
  }
  return null
}
