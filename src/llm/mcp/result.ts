import { z } from 'zod'
import { LIMITS } from '../../limits.js'
import type { HubToolResult } from '../tools.js'

/** What `tools/call` answers, no stricter than the hub needs it. */
export const callResult = z.object({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional()
})

export type CallResult = z.infer<typeof callResult>

const textPart = z.object({ type: z.literal('text'), text: z.string() })
const resourcePart = z.object({ type: z.literal('resource'), resource: z.object({ uri: z.string() }) })

/** What the model is given of a tool's answer: its text, its resources by their URI, and the rest as JSON. */
export function textOfResult(result: CallResult, limit_bytes: number): HubToolResult {
  const { content = [], structuredContent, isError = false } = result
  const parts = content.length === 0 && structuredContent !== undefined ? [structuredContent] : content
  const most = LIMITS.toolResultParts.max
  const left = parts.length > most ? [`[${parts.length - most} more parts were left out.]`] : []
  const text = [...parts.slice(0, most).map(textOfPart), ...left].join('\n')
  if (isError) return toolFailure(text.trim() === '' ? 'The tool failed without saying why.' : text, limit_bytes)
  return { text: cut(text, limit_bytes), ok: true }
}

/** The result of a call that failed. */
export function toolFailure(error: string, limit_bytes: number): HubToolResult {
  return { text: JSON.stringify({ error: cut(error, limit_bytes) }), ok: false }
}

function textOfPart(part: unknown): string {
  const text = textPart.safeParse(part)
  if (text.success) return text.data.text
  const resource = resourcePart.safeParse(part)
  return resource.success ? resource.data.resource.uri : JSON.stringify(part)
}

function cut(text: string, limit_bytes: number): string {
  // No character takes more than three bytes for each unit of the string.
  if (text.length * 3 <= limit_bytes || Buffer.byteLength(text) <= limit_bytes) return text
  // A stream holds back the beginning of a character that the cut went through.
  const kept = new TextDecoder().decode(Buffer.from(text).subarray(0, limit_bytes), { stream: true })
  return `${kept}\n[The rest was cut off after ${limit_bytes} bytes.]`
}
