import type { ServerResponse } from 'node:http'

/**
 * Calls `over` once, when a response is over or its connection is: a response that waits for others on its connection is told
 * of no end when the client leaves. It is called at once where either is over already. Returns how to be told no more.
 */
export function whenOver(response: ServerResponse, over: () => void): () => void {
  const { socket } = response.req
  const stop = () => {
    response.off('close', told)
    socket.off('close', told)
  }
  const told = () => {
    stop()
    over()
  }
  if (response.destroyed || socket.closed) over()
  else {
    response.on('close', told)
    socket.on('close', told)
  }
  return stop
}
