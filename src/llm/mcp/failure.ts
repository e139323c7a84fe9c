import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { Refusal, SessionGone } from './refusal.js'

/** The server is not there, and how it came to be so has been logged. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable'
}

/** The error behind one that the SDK has made of an answer that broke off. */
export function whyFailed(error: unknown): unknown {
  return error instanceof McpError && error.data instanceof Error ? error.data : error
}

/** True when the error puts the connection in doubt, and not only this one call. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Refusal || error instanceof z.core.$ZodError) return false
  return !(error instanceof McpError) || isFromSdk(error, ErrorCode.ConnectionClosed, 'Connection closed')
}

/** True when the server took longer to answer than it was given. */
export function isTimeout(error: unknown): boolean {
  return error instanceof McpError && isFromSdk(error, ErrorCode.RequestTimeout, 'Request timed out')
}

/** What the model is told. Errors of the network name addresses that are nobody's business, so they stay in the log. */
export function failureText(error: unknown, server: string, call_ms: number): string {
  if (error instanceof Refusal) return error.message
  if (isTimeout(error)) return `The tool did not answer within ${call_ms / 1000} seconds.`
  if (error instanceof z.core.$ZodError)
    return `The tool server "${server}" sent an answer that could not be understood.`
  if (error instanceof McpError && !isConnectionLost(error)) return error.message
  if (error instanceof SessionGone) return `The tool server "${server}" refused the call.`
  return `The tool server "${server}" could not be reached.`
}

/** Servers use the same codes for errors of their own. */
function isFromSdk({ code, message }: McpError, expected: ErrorCode, text: string): boolean {
  return code === expected && message === `MCP error ${expected}: ${text}`
}
