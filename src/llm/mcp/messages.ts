import { z } from 'zod'
import { LIMITS } from '../../limits.js'
import { failedTool, type HubToolResult } from '../tools.js'

// What servers send, no stricter than the hub needs it.

/** A page of what `tools/list` answers. */
export const toolPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() })

const serverTool = z.object({
  name: z.string().min(1).max(LIMITS.name.max),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  execution: z.object({ taskSupport: z.string().optional() }).optional().catch(undefined)
})

/** A tool as its server describes it. */
export type ServerTool = Readonly<z.infer<typeof serverTool>>

/** What a server offers, as far as it is of use. */
export interface ToolList {
  readonly tools: readonly ServerTool[]
  /** False where there is more than the hub takes. */
  readonly isWhole: boolean
}

const MOST_PAGES = 64
// Entries that are no tools cost time as well.
const MOST_ENTRIES = 1000

/** Takes the entries of pages until they are too many, or too large together; a tool that is too large is left out. */
export async function gatherTools(pages: AsyncIterable<readonly unknown[]>, most: number): Promise<ToolList> {
  const tools: ServerTool[] = []
  let [taken, entries, isWhole] = [0, 0, true]
  let left_chars: number = LIMITS.toolDefinitions.max
  for await (const page of pages) {
    if (++taken > MOST_PAGES) return { tools, isWhole: false }
    for (const entry of page) {
      if (tools.length === most || ++entries > MOST_ENTRIES || left_chars < 0) return { tools, isWhole: false }
      const tool = serverTool.safeParse(entry).data
      if (tool === undefined || tool.execution?.taskSupport === 'required') continue
      const chars = JSON.stringify(tool).length
      const fits = chars <= LIMITS.toolDefinition.max
      if (fits) left_chars -= chars
      if (fits && left_chars >= 0) tools.push(tool)
      else isWhole = false
    }
  }
  return { tools, isWhole }
}

/** What `tools/call` answers. */
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
  return failedTool(cut(error, limit_bytes))
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
