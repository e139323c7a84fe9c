import type { z } from 'zod'

/** Where a value stands: keys of mappings and indexes of lists, from the root. */
export type Path = readonly PropertyKey[]

export interface ConfigProblem {
  /** From 1; where the value is missing, the line of the mapping that lacks it. */
  readonly line: number
  /** The path as `llm.mcp[0].url`; empty where the problem is the whole file. */
  readonly key: string
  readonly message: string
  /** The environment variable that has given the value; then there is no line. */
  readonly variable?: string
}

/** The configuration cannot be used. `message` tells every problem, one a line, and never quotes a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(
    message: string,
    readonly problems: readonly ConfigProblem[] = [],
    /** What is no problem and should be known, a line each. */
    readonly warnings: readonly string[] = []
  ) {
    super(message)
  }
}

/** The error for all `problems` of one file, in the order of its lines, each told once. */
export function configError(
  fileName: string,
  problems: readonly ConfigProblem[],
  warnings: readonly string[] = []
): ConfigError {
  const told = new Map(
    problems.toSorted((a, b) => a.line - b.line).map((problem) => [problemText(fileName, problem), problem])
  )
  return new ConfigError([...told.keys()].join('\n'), [...told.values()], warnings)
}

/** One line that says where a problem is and what: `server.yaml:3: db.port: …`, or `HUB_DB_PORT: db.port: …`. */
export function problemText(fileName: string, { line, key, message, variable }: ConfigProblem): string {
  return `${variable ?? `${fileName}:${line}`}: ${key === '' ? '' : `${key}: `}${message}`
}

/** A path as people write it: `llm.mcp[0].url`. */
export function keyOf(path: Path): string {
  return path.reduce<string>((key, segment) => {
    if (typeof segment === 'number') return `${key}[${segment}]`
    return key === '' ? String(segment) : `${key}.${String(segment)}`
  }, '')
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'Must be a string: put the value in quotes.',
  object: 'Must be a mapping.',
  array: 'Must be a list.'
}

/** The texts of what the schema leaves unsaid: values that are missing or of the wrong kind. None quotes the value. */
export const explain: z.core.$ZodErrorMap = ({ input, path = [], ...issue }) => {
  if (input == null) return `Config must include ${keyOf(path)}.`
  return (issue.code === 'invalid_type' && KINDS[issue.expected]) || 'Invalid value.'
}
