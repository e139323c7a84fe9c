/** Positions of which one row has a set: a row's number is the first of them divided by this. */
export const BLOCK = 4096

const BYTES = BLOCK / 8
/** As a list, each takes two bytes; with more of them a bit for each possible one takes less. */
const LISTED_MAX = BYTES / 2 - 1

/** Positions of one block, a bit for each. */
export type PositionSet = Uint8Array

/** The block that a position is in. */
export const blockOf = (position: number) => Math.floor(position / BLOCK)

/** A set with nothing in it. */
export const emptySet = (): PositionSet => new Uint8Array(BYTES)

/** What a row has of a set: each position's place in the block in two bytes, or where that is shorter a bit for each place. */
export function encodedSet(set: PositionSet): Buffer {
  const places = [...placesIn(set)]
  if (places.length > LISTED_MAX) return Buffer.from(set)
  const bytes = Buffer.alloc(2 * places.length)
  for (const [i, place] of places.entries()) bytes.writeUInt16LE(place, 2 * i)
  return bytes
}

/** The set that a row has. Throws `TypeError` for what is none. */
export function decodedSet(bytes: unknown): PositionSet {
  if (!Buffer.isBuffer(bytes) || bytes.length > BYTES)
    throw new TypeError('A row of the search index holds no positions.')
  if (bytes.length === BYTES) return new Uint8Array(bytes)
  const set = emptySet()
  for (let i = 0; i < bytes.length; i += 2) addTo(set, bytes.readUInt16LE(i))
  return set
}

/** Adds a position to a set of its block. */
export function addTo(set: PositionSet, position: number): void {
  const place = position % BLOCK
  set[place >> 3] = (set[place >> 3] ?? 0) | (1 << (place & 7))
}

/** Takes a position from a set of its block. */
export function takeFrom(set: PositionSet, position: number): void {
  const place = position % BLOCK
  set[place >> 3] = (set[place >> 3] ?? 0) & ~(1 << (place & 7))
}

/** What is in one of some sets of a block. */
export function unionOf(sets: readonly PositionSet[]): PositionSet {
  return combined(sets, (one, other) => one | other)
}

/** What is in each of some sets of a block, of which there is one. */
export function intersectionOf(sets: readonly PositionSet[]): PositionSet {
  return combined(sets, (one, other) => one & other)
}

/** What is in a set and not in another one of the same block. */
export function differenceOf(set: PositionSet, other: PositionSet): PositionSet {
  return combined([set, other], (one, taken) => one & ~taken)
}

/** The positions of a set, the last first. */
export function positionsIn(block: number, set: PositionSet): readonly number[] {
  return Array.from(placesIn(set), (place) => block * BLOCK + place).reverse()
}

function* placesIn(set: PositionSet): Generator<number, void> {
  for (const [i, byte] of set.entries()) {
    for (let rest = byte, bit = 0; rest > 0; rest >>= 1, bit++) if (rest & 1) yield 8 * i + bit
  }
}

function combined(sets: readonly PositionSet[], of: (one: number, other: number) => number): PositionSet {
  const [first, ...others] = sets
  const result = first ? Uint8Array.from(first) : emptySet()
  for (const other of others) for (let i = 0; i < BYTES; i++) result[i] = of(result[i] ?? 0, other[i] ?? 0)
  return result
}
