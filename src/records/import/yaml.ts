import { Composer, Parser, visit } from 'yaml'
import type { ImportBounds } from '../../config/importBounds.js'
import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { DIGITS_MAX, longInteger } from '../formats/json.js'

/** So often a text may name what stands elsewhere in it. What comes of it counts as values all the same. */
const ALIASES_MAX = 1000
/** What the stack of the parser holds beside the collections: the document, and the scalar being read. */
const BESIDE = 2

/** A parser that stops where a text nests too deep or has too many parts, before anything is made of them. */
class BoundedParser extends Parser {
  readonly #most: number
  #parts = 0

  constructor(most: number) {
    super()
    this.#most = most
  }

  override *next(source: string): ReturnType<Parser['next']> {
    this.#parts++
    if (this.#parts > this.#most)
      throw errors.importTooLarge(`there are more than ${this.#most} words and signs in it`, 'maxYamlParts')
    if (this.stack.length > LIMITS.importDepth.max + BESIDE)
      throw errors.importTooLarge(`it nests deeper than ${LIMITS.importDepth.max} levels`)
    if (source.length > DIGITS_MAX && /^[-+]?(0[xo])?[\da-f]+$/i.test(source)) throw longInteger()
    yield* super.next(source)
  }
}

/**
 * The value of a text of one YAML document, in which integers that a number would change are bigints. Throws 413 beyond the
 * limits, and the parser's error where it is no YAML.
 */
export function yamlValue(text: string, { maxYamlParts }: Pick<ImportBounds, 'maxYamlParts'>): unknown {
  const composer = new Composer({ merge: true, intAsBigInt: true, logLevel: 'error', prettyErrors: false })
  const [document, ...more] = composer.compose(new BoundedParser(maxYamlParts).parse(text), true, text.length)
  if (!document || more.length > 0) throw new Error('it is not one document')
  const [error] = document.errors
  if (error) throw error
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'bigint' && Number.isSafeInteger(Number(node.value))) node.value = Number(node.value)
    }
  })
  return document.toJS({ maxAliasCount: ALIASES_MAX })
}
