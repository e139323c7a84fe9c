import { DIMENSIONS } from '../../../src/llm/docs/readIndex.js'

/** A vector that begins with these numbers and goes on with zeros. */
export function vector(...first: readonly number[]): number[] {
  return [...first, ...Array.from({ length: DIMENSIONS - first.length }, () => 0)]
}
