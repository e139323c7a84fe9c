import { LIMITS } from '../../limits.js'

/** The bounds of everything that has to do with tool servers. */
export interface McpLimits {
  /** How long a chat waits for a server that is being connected or asked for its tools. */
  readonly wait_ms: number
  /** How long one attempt to connect may take, by one transport; it goes on while no chat waits for it any more. */
  readonly connect_ms: number
  /** How long the whole list may take, with all its pages. */
  readonly list_ms: number
  readonly call_ms: number
  /** A list of tools older than this is asked for again when it is needed. */
  readonly listAge_ms: number
  readonly firstPause_ms: number
  readonly longestPause_ms: number
  /** How often a stream of what nobody asked for is opened at most: the server says when it wants to have it opened again. */
  readonly getEvery_ms: number
  /** For a whole answer, or one event of a stream. */
  readonly response_bytes: number
  readonly result_bytes: number
  readonly tools: number
}

export const MCP_LIMITS: McpLimits = {
  wait_ms: 3000,
  connect_ms: 10_000,
  list_ms: 10_000,
  call_ms: 30_000,
  listAge_ms: 180_000,
  firstPause_ms: 2000,
  longestPause_ms: 300_000,
  getEvery_ms: 500,
  response_bytes: LIMITS.answerBody.max,
  result_bytes: LIMITS.toolResult.max,
  tools: LIMITS.serverTools.max
}

/** Time and chance, so that tests can do without either. */
export interface McpClock {
  now(): number
  /** From 0 up to, but not including, 1. */
  random(): number
}

export const systemClock: McpClock = { now: () => performance.now(), random: () => Math.random() }

/** How long a server that failed so many times in a row is left alone: ever longer, and not all servers in step. */
export function pauseAfter(failures: number, limits: McpLimits, random: number): number {
  const longest = Math.min(limits.longestPause_ms, limits.firstPause_ms * 2 ** Math.min(failures - 1, 30))
  return longest * (1 - random / 2)
}
