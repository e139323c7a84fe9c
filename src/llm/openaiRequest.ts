import type { ChatMessage, ChatRequest } from './messages.js'

/** The body of `POST /chat/completions` that stands for a request. */
export function openAiBody({ model, systemPrompt, messages, tools }: ChatRequest) {
  return {
    model,
    messages: [
      ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }]),
      ...messages.map(messageOf)
    ],
    ...(tools.length > 0 && { tools })
  }
}

/** The same, answered piece by piece, with the usage at the end. */
export function openAiStreamBody(request: ChatRequest) {
  return { ...openAiBody(request), stream: true, stream_options: { include_usage: true } }
}

function messageOf(message: ChatMessage) {
  switch (message.role) {
    case 'assistant':
      if (message.toolCalls.length === 0) break
      return {
        role: message.role,
        content: message.content,
        tool_calls: message.toolCalls.map(({ id, name, arguments: args }) => ({
          id,
          type: 'function',
          function: { name, arguments: args }
        }))
      }
    case 'tool':
      return {
        role: message.role,
        ...(message.toolCallId !== null && { tool_call_id: message.toolCallId }),
        content: message.content ?? ''
      }
  }
  return { role: message.role, content: message.content ?? '' }
}
