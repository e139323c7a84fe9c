import { type FakeAnswer, piecesOf } from './answer.js'
import { counted, refusal } from './openai.js'
import { json, type Respond, startUpstream, type Upstream } from './upstream.js'

/** Gemini where it speaks OpenAI's language, with the accent that it has there. */
export async function startGemini(apiKey: string): Promise<Upstream> {
  const upstream = await startUpstream((received) => {
    if (received.headers.authorization !== `Bearer ${apiKey}`)
      return error(400, 'API key not valid. Please pass a valid API key.')
    return refusal(received, apiKey, '/v1beta/openai')
  })
  return { ...upstream, url: `${upstream.url}/v1beta/openai` }
}

/** An error as Gemini words it: in a list. */
export function error(code: number, message: string): Respond {
  return json(code, [{ error: { code, message, status: 'INVALID_ARGUMENT' } }])
}

/** A stream as Gemini sends it: calls whole and all with index 0, and usage with every piece. */
export function chunks({ text, calls = [], usage = [11, 7] }: FakeAnswer): readonly string[] {
  const deltas: object[] = piecesOf(text ?? '').map((content) => ({ role: 'assistant', content }))
  for (const { id, name, arguments: args } of calls) {
    deltas.push({
      role: 'assistant',
      tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }]
    })
  }
  return [
    ...deltas.map((delta, at) =>
      event({
        choices: [{ index: 0, delta, ...(at === deltas.length - 1 && { finish_reason: 'stop' }) }],
        usage: counted([usage[0], at === deltas.length - 1 ? usage[1] : 1])
      })
    ),
    'data: [DONE]\n\n'
  ]
}

function event(body: object): string {
  return `data: ${JSON.stringify({ id: 'g-1', object: 'chat.completion.chunk', created: 1, model: 'gemini-3.8-flash', ...body })}\n\n`
}
