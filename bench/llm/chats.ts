import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { asker } from '../support/ask.js'
import { timed } from '../support/times.js'

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
  const { path, secret, body } = load
  const agent = new Agent({ keepAlive: true })
  const { ask } = asker(load.port, agent)
  const send = async () => {
    const answer = await ask({ kind: 'chat', method: 'POST', path, secret, body })
    if (answer.body.includes('turn.error')) throw new Error(`${path} answered ${answer.body}`)
  }
  const taken: number[] = []
  const chats = Array.from({ length: load.chats }, async (_, chat) => {
    await sleep((chat / load.chats) * load.thinking_ms)
    for (let step = 0; step < load.steps; step++) taken.push((await timed(send)) - load.thinking_ms)
  })
  try {
    await Promise.all(chats)
  } finally {
    agent.destroy()
  }
  return taken
}
