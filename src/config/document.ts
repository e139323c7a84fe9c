import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument
} from 'yaml'
import { type ConfigProblem, keyOf, type Path } from './problems.js'

type YamlDocument = ReturnType<typeof parseDocument>

/** A YAML text as a tree that still knows its lines. */
export interface ConfigDocument {
  readonly tree: YamlDocument
  /** The line of the value at `path`, or of its nearest parent that exists. */
  readonly lineOf: (path: Path) => number
}

interface VisitedNode {
  readonly node: Node
  readonly path: Path
}

/** Parses `text`; also returns what is wrong with it as YAML. `broken` says that the tree is not worth a look. */
export function readDocument(text: string): ConfigDocument & {
  readonly problems: readonly ConfigProblem[]
  readonly broken: boolean
} {
  const lines = new LineCounter()
  // The pretty form of an error quotes the line, and a line may hold a password.
  const tree = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'error' })
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const document = { tree, lineOf: (path: Path) => lineAt(offsetOf(tree, path)) }
  // To the parser an unknown tag is only a warning, but `password: !x` would quietly become an empty password.
  const tags = tree.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
  const syntax = [...tree.errors, ...tags].map(({ code, message, pos }) => ({
    line: lineAt(pos[0]),
    key: '',
    message: `Failed to parse config file: ${QUOTING[code] ?? message}`
  }))
  if (syntax.length > 0) return { ...document, problems: syntax, broken: true }
  const problems: ConfigProblem[] = []
  const tell = (path: Path, message: string) =>
    problems.push({ line: document.lineOf(path), key: keyOf(path), message })
  let broken = false
  for (const { node, path } of visits(tree.contents)) {
    if (isAlias(node) && node.resolve(tree) === undefined) {
      tell(path, 'The alias has no anchor before it.')
      broken = true
    }
    const keys = isMap(node) ? node.items.map(keyText) : []
    const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) !== index))
    for (const key of repeated) tell([...path, key], 'The key is given more than once.')
  }
  return { ...document, problems, broken }
}

/** Every node below `node` except the keys of mappings, in the order of the file. Aliases are not followed. */
export function* visits(node: unknown, path: Path = []): Generator<VisitedNode> {
  if (isNode(node)) yield { node, path }
  if (isMap(node)) for (const pair of node.items) yield* visits(pair.value, [...path, keyText(pair)])
  if (isSeq(node)) for (const [index, item] of node.items.entries()) yield* visits(item, [...path, index])
}

function offsetOf(tree: YamlDocument, path: Path): number {
  let node: unknown = tree.contents
  let offset = tree.contents?.range?.[0] ?? 0
  for (const segment of path) {
    const parent = isAlias(node) ? node.resolve(tree) : node
    if (isMap(parent)) {
      // The last of several equal keys is the one that counts.
      const pair = parent.items.findLast((item) => keyText(item) === String(segment))
      if (!pair) break
      node = pair.value
      offset = startOfValue(pair) ?? offset
    } else if (isSeq(parent)) {
      node = parent.items[Number(segment)]
      if (node === undefined) break
      offset = startOf(node) ?? offset
    } else break
  }
  return offset
}

/** A block starts below its key and an empty value nowhere in particular: both are better found at the key. */
function startOfValue({ key, value }: Pair): number | undefined {
  const atKey = isCollection(value) || (isScalar(value) && value.value === null)
  return (atKey ? undefined : startOf(value)) ?? startOf(key)
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

function keyText({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key)
}

/** The codes whose messages quote the file, where the quoted part may belong to a secret. */
const QUOTING: Readonly<Record<string, string>> = {
  BAD_DIRECTIVE: 'A line starts with % but is no YAML directive.',
  BAD_DQ_ESCAPE: 'Invalid escape sequence in a double-quoted value; single quotes take the backslash literally.',
  BAD_SCALAR_START: 'A value starts with a reserved character; put it in quotes.',
  TAG_RESOLVE_FAILED: 'A value has a tag that cannot be resolved; put a value that starts with ! in quotes.',
  UNEXPECTED_TOKEN: 'Unexpected text; check the quotes, brackets and indentation here.'
}
