/** The body of one step: a chat of about that many bytes, most of it tools, as desktops send it. */
export function stepText(model: string, bytes: number, stream: boolean): string {
  const tool = (at: number) => ({
    type: 'function',
    function: {
      name: `tool_${at}`,
      description: 'Does something that takes a few sentences to describe. '.repeat(12),
      parameters: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
    }
  })
  const tools = Array.from({ length: Math.floor((bytes * 0.8) / JSON.stringify(tool(0)).length) }, (_, at) => tool(at))
  const systemPrompt = 'Be a helpful assistant. '.repeat(Math.floor((bytes * 0.2) / 24))
  const messages = [{ role: 'user', content: 'Hello' }]
  return JSON.stringify({
    model,
    messages,
    tools,
    systemPrompt,
    ...(stream && { turnId: 'turn', stepIndex: 0, stream })
  })
}

/** A small call of another program, in the interface of the provider. */
export function callText(model: string, stream: boolean): string {
  const messages = [{ role: 'user', content: 'Hello' }]
  return JSON.stringify({ model, messages, max_tokens: 100, ...(stream && { stream }) })
}
