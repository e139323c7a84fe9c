import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ChatLoad {
  readonly port: number
  readonly path: string
  readonly secret: string
  readonly body: string
  readonly chats: number
  /** How many steps each chat makes, one after another. */
  readonly steps: number
  readonly thinking_ms: number
}

/** The time that each step took beyond the provider's own. The chats begin spread over the time that it thinks. */
export async function driveChats(load: ChatLoad): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true })
  const taken: number[] = []
  const chats = Array.from({ length: load.chats }, async (_, chat) => {
    await sleep((chat / load.chats) * load.thinking_ms)
    for (let step = 0; step < load.steps; step++) {
      const begun = performance.now()
      await send(agent, load)
      taken.push(performance.now() - begun - load.thinking_ms)
    }
  })
  try {
    await Promise.all(chats)
  } finally {
    agent.destroy()
  }
  return taken
}

/** Sends one step and reads the answer to its end; rejects unless it is a 200. */
function send(agent: Agent, { port, path, secret, body }: ChatLoad): Promise<void> {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body)
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      let end = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        end = (end + part).slice(-500)
      })
      answer.once('error', reject)
      answer.once('end', () => {
        if (answer.statusCode === 200 && !end.includes('turn.error')) resolve()
        else reject(new Error(`${path} answered ${answer.statusCode}: ${end}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
