import { nearest } from '../src/nearest.js'

/** The line that asks whether something else was meant, as a list of none or one. */
export function didYouMean(
  text: string,
  candidates: Iterable<string>,
  shown: (candidate: string) => string = (candidate) => `"${candidate}"`
): readonly string[] {
  const found = nearest(text, candidates)
  return found === undefined ? [] : [`Did you mean ${shown(found)}?`]
}
