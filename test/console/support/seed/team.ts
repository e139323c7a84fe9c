import { connectHub, type HubClient } from '../../../../clients/typescript/src/index.js'
import type { ConsoleHub } from '../hub.js'

/** Somebody who works with the hub. */
export interface Person {
  readonly id: string
  readonly name: string
  /** The secret of their token. */
  readonly token: string
  readonly ask: HubClient
}

/** The people of the seed, by their first names. Grace administers the hub, the others use it. */
export interface People {
  readonly grace: Person
  /** Sees everything, and has made most of it. */
  readonly mara: Person
  readonly tomas: Person
  readonly priya: Person
  /** Sees one collection, and has a monthly limit of tokens of models. */
  readonly jonas: Person
}

const NAMES = { mara: 'Mara Lindqvist', tomas: 'Tomás Ferreira', priya: 'Priya Raman', jonas: 'Jonas Weber' } as const
/** What each has for a colour: it would follow from their ids, which are others each time. */
const COLORS = { mara: 'rose-600', tomas: 'teal-600', priya: 'violet-600', jonas: 'amber-600' } as const
const everything = {
  collectionAccess: ['*'],
  environmentAccess: ['*'],
  snippetAccess: ['*'],
  liveServerAccess: ['*'],
  livePageAccess: ['*']
}

/** Makes the accounts. Jonas sees nothing yet. */
export async function makePeople(hub: ConsoleHub): Promise<People> {
  const { url, admin, clock } = hub
  const ask = connectHub({ url, token: admin.token })
  const name = 'Grace Holm'
  await ask.request('PUT', '/admin/users/{id}', { path: { id: admin.id }, body: { name, avatarColor: 'indigo-600' } })
  const make = async (who: keyof typeof NAMES, more: object): Promise<Person> => {
    clock.pass(4)
    const body = { name: NAMES[who], avatarColor: COLORS[who], role: 'user', ...more } as const
    const { user, secret } = (await ask.request('POST', '/admin/users', { body })).body
    return { id: user.id, name: user.name, token: secret, ask: connectHub({ url, token: secret }) }
  }
  const models = { llmAccess: true, llmModels: ['*'] }
  return {
    grace: { id: admin.id, name, token: admin.token, ask },
    mara: await make('mara', { ...everything, ...models }),
    tomas: await make('tomas', { ...everything, ...models }),
    priya: await make('priya', { ...everything, ...models, llmMonthlyTokenLimit: 400_000 }),
    jonas: await make('jonas', { llmAccess: true, llmModels: ['gpt-6-luna'], llmMonthlyTokenLimit: 60_000 })
  }
}
