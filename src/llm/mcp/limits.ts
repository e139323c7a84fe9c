import { LIMITS } from '../../limits.js'

/** The bounds of everything that has to do with tool servers. */
export const MCP_LIMITS = {
  /** How long a chat waits for a server that is being connected or asked for its tools. */
  wait_ms: 3000,
  /** How long one attempt to connect may take, by one transport; it goes on while no chat waits for it any more. */
  connect_ms: 10_000,
  /** How long the whole list may take, with all its pages. */
  list_ms: 10_000,
  call_ms: 30_000,
  /** A list of tools older than this is asked for again when it is needed. */
  listAge_ms: 180_000,
  firstPause_ms: 2000,
  longestPause_ms: 300_000,
  /** How often a stream of what nobody asked for is opened at most: the server says when it wants to have it opened again. */
  getEvery_ms: 500,
  /** For a whole answer, or one event of a stream. */
  response_bytes: LIMITS.answerBody.max,
  result_bytes: LIMITS.toolResult.max,
  tools: LIMITS.serverTools.max
}

export type McpLimits = Readonly<Record<keyof typeof MCP_LIMITS, number>>

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
