import { once } from 'node:events'
import { connect } from 'node:net'

const SILENCE_MAX_MS = 30_000
const BUFFER_BYTES = 64 * 1024

/** One keep-alive connection to a local port, with at most one request on its way. */
export interface Connection {
  /** Sends a whole request. */
  send(request: string): void
  close(): void
}

export interface Listener {
  /** An answer has arrived to its last byte. */
  onAnswer(status: number): void
  /** The connection ended or fell silent, or what arrived was not understood. Told once; nothing follows. */
  onBroken(error: Error): void
}

/** Opens a connection; rejects when nobody listens. */
export async function openConnection(port: number, { onAnswer, onBroken }: Listener): Promise<Connection> {
  const read = answerReader(onAnswer)
  const socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: {
      // One buffer for all that arrives: a list reply would otherwise cost a fresh one for every 64 KiB.
      buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
      callback(length, buffer) {
        try {
          read(Buffer.from(buffer.buffer, buffer.byteOffset, length))
        } catch (error) {
          socket.destroy(error instanceof Error ? error : new Error(String(error)))
        }
        return true
      }
    }
  })
  await once(socket, 'connect')
  let isOpen = true
  socket.setTimeout(SILENCE_MAX_MS, () => socket.destroy(new Error(`No answer within ${SILENCE_MAX_MS} ms.`)))
  socket.on('error', (error) => {
    if (isOpen) onBroken(error)
    isOpen = false
  })
  socket.on('close', () => {
    if (isOpen) onBroken(new Error('The server closed a connection.'))
  })
  return {
    send: (request) => void socket.write(request),
    close() {
      isOpen = false
      socket.destroy()
    }
  }
}

const HEAD_END = '\r\n\r\n'
const STATUS_START = 'HTTP/1.1 '.length

/** Reads of an answer what tells where it ends, and no more: time spent here is missing elsewhere. */
function answerReader(onAnswer: (status: number) => void): (chunk: Buffer) => void {
  let head: Buffer | null = null
  let status = 0
  /** Bytes of the body that are still to come; null while a head is awaited. */
  let missing: number | null = null
  return (chunk) => {
    if (missing === null) {
      const bytes: Buffer = head === null ? chunk : Buffer.concat([head, chunk])
      const end = bytes.indexOf(HEAD_END)
      // Copied, for the next chunk comes in the same buffer.
      head = end < 0 ? Buffer.from(bytes) : null
      if (end < 0) return
      const text = bytes.toString('latin1', 0, end)
      status = Number(text.slice(STATUS_START, STATUS_START + 3))
      missing = bodyLength(text, status) - (bytes.length - end - HEAD_END.length)
    } else {
      missing -= chunk.length
    }
    if (missing > 0) return
    if (missing < 0) throw new Error('An answer is longer than it said.')
    missing = null
    onAnswer(status)
  }
}

function bodyLength(head: string, status: number): number {
  if (status === 204 || status === 304) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer does not tell its length:\n${head}`)
  return Number(length)
}
