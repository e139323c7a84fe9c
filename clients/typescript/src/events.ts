import { orAborted } from './abort.js'

/** One server-sent event: `id` where it has one, `data` empty where it only says where the stream is. */
export interface ServerEvent {
  readonly id: string | null
  readonly data: string
}

/** More than any event of the hub has. */
const EVENT_MOST = 1024 * 1024

/** The events of a stream, as they come, until the signal is aborted. Throws where one is larger than 1 MB. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal
): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await orAborted(reader.read(), signal)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      if (text.length > EVENT_MOST) throw new Error('An event of the stream is too large.')
      for (const frame of frames) yield eventOf(frame)
    }
  } finally {
    // Nobody waits for a connection that does not answer any more.
    reader.cancel().catch(() => {})
  }
}

function eventOf(frame: string): ServerEvent {
  let id: string | null = null
  const data: string[] = []
  for (const line of frame.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice('id: '.length)
    if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
  }
  return { id, data: data.join('\n') }
}
