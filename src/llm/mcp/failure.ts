import { z } from 'zod'
import { isTimeoutError } from '../signals.js'

/** What the hub refuses of a tool server. The message holds nothing secret: the model and the person may read it. */
export class Refusal extends Error {}

/** The server did not take a message, probably because it does not know the session, so that it may be sent again. */
export class SessionGone extends Error {}

/** The server is not there, and how it came to be so has been logged. */
export class ServerUnavailable extends Error {}

/** The server could be reached by neither transport. */
export class NeitherTransport extends Error {
  constructor(
    readonly newer: unknown,
    readonly older: unknown
  ) {
    super('The tool server could not be connected to by either transport.')
  }
}

/**
 * True for an error by the protocol: the server's own, or one that the SDK makes where a connection is closed or an answer late. It is
 * told by its name, since the SDK that has its class is loaded only where there is a tool server to connect to.
 */
function isProtocolError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && error.name === 'McpError' && 'code' in error && typeof error.code === 'number'
}

/** The code of the SDK's error for a connection that was closed. */
export const CONNECTION_CLOSED = -32000
/** The code of the SDK's error for an answer that did not come in time. */
const REQUEST_TIMEOUT = -32001

/** True when the error puts the connection in doubt, and not only this one call. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Refusal || error instanceof z.core.$ZodError) return false
  return !isProtocolError(error) || isFromSdk(error, CONNECTION_CLOSED, 'Connection closed')
}

/** True when the server took longer to answer than it was given. */
export function isTimeout(error: unknown): boolean {
  if (isProtocolError(error)) return isFromSdk(error, REQUEST_TIMEOUT, 'Request timed out')
  return isTimeoutError(error)
}

/** What the model is told. Errors of the network name addresses that are nobody's business, so they stay in the log. */
export function failureText(error: unknown, server: string, call_ms: number): string {
  if (error instanceof Refusal) return error.message
  if (isTimeout(error)) return `The tool did not answer within ${call_ms / 1000} seconds.`
  if (error instanceof z.core.$ZodError)
    return `The tool server "${server}" sent an answer that could not be understood.`
  if (isProtocolError(error) && !isConnectionLost(error)) return error.message
  if (error instanceof SessionGone) return `The tool server "${server}" refused the call.`
  return `The tool server "${server}" could not be reached.`
}

/** What the log is told of a failure: never a word that the server has said, since it may say again what it was sent. */
export interface LoggedFailure {
  readonly kind: 'refused' | 'timeout' | 'unreadable' | 'error' | 'status' | 'unavailable' | 'network'
  /** The status of HTTP, the code of JSON-RPC or that of the system. */
  readonly code?: number | string
  /** What the hub itself has to say. */
  readonly reason?: string
  /** Where the older transport was tried after the newer one, how that failed. */
  readonly second?: LoggedFailure
}

export function loggedFailure(error: unknown): LoggedFailure {
  if (error instanceof NeitherTransport) {
    return { ...loggedFailure(error.newer), second: loggedFailure(error.older) }
  }
  if (error instanceof Refusal) return { kind: 'refused', reason: error.message }
  if (error instanceof SessionGone) return { kind: 'status', reason: error.message }
  if (error instanceof ServerUnavailable) return { kind: 'unavailable' }
  if (isTimeout(error)) return { kind: 'timeout' }
  if (error instanceof z.core.$ZodError || error instanceof SyntaxError) return { kind: 'unreadable' }
  if (isProtocolError(error)) return { kind: 'error', code: error.code }
  const code = codeOf(error)
  if (code === null) return { kind: 'network' }
  return { kind: typeof code === 'number' ? 'status' : 'network', code }
}

/** The status that a transport was answered with, or the system's code for why a connection failed. */
function codeOf(error: unknown): number | string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && (typeof error.code === 'number' || /^[A-Z0-9_]{1,40}$/.test(String(error.code)))) {
    return typeof error.code === 'number' ? error.code : String(error.code)
  }
  return codeOf(error.cause)
}

/** Servers use the same codes for errors of their own. */
function isFromSdk({ code, message }: Error & { readonly code: number }, expected: number, text: string): boolean {
  return code === expected && message === `MCP error ${expected}: ${text}`
}
