import { nextTurn } from '../lib/turns.js'

type ServerModule = typeof import('./server.js')

/** What the protocol's library is made of, the parts that take longest first. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('@modelcontextprotocol/sdk/types.js'),
  () => import('@modelcontextprotocol/sdk/validation/ajv'),
  () => import('@modelcontextprotocol/sdk/shared/protocol.js')
]

let loaded: Promise<ServerModule> | undefined

/** The server of agents, loaded by the first who asks: in turns, since all of it in one would hold up everybody else. */
export function serverModule(): Promise<ServerModule> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<ServerModule> {
  for (const part of PARTS) {
    await part()
    await nextTurn()
  }
  return import('./server.js')
}
