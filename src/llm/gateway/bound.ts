/** More than any model counts for one image. */
const IMAGE_TOKENS = 5000
/** What is written in base64 is counted as an image from so many characters on. */
const DATA_URL = /^data:image\/[a-z+.-]+;base64,/

/** What a call says that makes it cost more than its own text, or that belongs to others; null for nothing. */
export interface Body {
  readonly [name: string]: unknown
}

/** The most tokens that a model can count for what is sent: no token is shorter than a byte, and an image is so many at most. */
export function mostInput(body: Body): number {
  let image_chars = 0
  let images = 0
  walk(body, (value, name, holder) => {
    if (typeof value !== 'string') return
    const isImage = DATA_URL.test(value) || (name === 'data' && isImageSource(holder))
    if (!isImage) return
    images++
    image_chars += value.length
  })
  return Buffer.byteLength(JSON.stringify(body)) - image_chars + images * IMAGE_TOKENS
}

function isImageSource(holder: object): boolean {
  return 'media_type' in holder && typeof holder.media_type === 'string' && holder.media_type.startsWith('image/')
}

/** Names by which a call goes on with, or holds, what the provider keeps for the hub's account, whoever it was of. */
const KEPT_BY_PROVIDER = ['previous_response_id', 'conversation', 'background', 'file_id', 'container'] as const

/** Why a call is refused that would reach what the provider keeps of others; null where it does not. */
export function reachesOthers(body: Body): string | null {
  let found: string | null = null
  walk(body, (value, name, _, path) => {
    const isNamed = KEPT_BY_PROVIDER.some((one) => one === name)
    // What a tool of the client is described by, or called with, may be named anything.
    if (!isNamed || value === null || value === false || path.some(isOfTool)) return
    found ??= `${name} is not supported: what the provider keeps is the hub's, and not that of one account. Send the whole conversation.`
  })
  return found
}

const OF_TOOLS = new Set(['parameters', 'input_schema', 'arguments', 'metadata', 'schema'])
/** At the top, `input` is what a model is asked; further down, what a tool is called with. */
const isOfTool = (name: string, depth: number) => OF_TOOLS.has(name) || (name === 'input' && depth > 0)
const OF_PROVIDER =
  /^(web_search|web_fetch|file_search|code_interpreter|code_execution|image_generation|mcp|tool_search)/

/** Why a call is refused that uses tools which the provider runs itself, of whoever has a limit; null where it does not. */
export function usesProvidersTools(body: Body): string | null {
  const tools = Array.isArray(body.tools) ? body.tools : []
  const types = tools.map((one: unknown) => (typeof one === 'object' && one && 'type' in one ? one.type : null))
  const found = types.find((type) => typeof type === 'string' && OF_PROVIDER.test(type))
  if (found === undefined && body.mcp_servers === undefined && body.web_search_options === undefined) return null
  return `Tools that the provider runs itself (${String(found ?? 'mcp_servers')}) are not for calls that a limit or a budget counts: nobody can tell before what they will use.`
}

type Visit = (value: unknown, name: string | null, holder: object, path: readonly string[]) => void

/** Visits every value of a body. How deep and how large it is was checked before it was parsed. */
function walk(value: object, visit: Visit, path: readonly string[] = []): void {
  for (const [name, one] of Object.entries(value)) {
    const at = Array.isArray(value) ? null : name
    visit(one, at, value, path)
    if (typeof one === 'object' && one !== null) walk(one, visit, at === null ? path : [...path, at])
  }
}
