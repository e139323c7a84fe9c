import { cp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connectHub } from '../../../clients/typescript/src/index.js'
import { type Place, sqlite } from '../../http/drivers.js'
import { type HubOptions, openPlace } from '../../http/support.js'
import { temporaryDirectory } from '../../support/databases.js'
import { madeOnce } from '../../support/made-once.js'
import { browserSuite } from './browser.js'
import { type ConsoleHub, startConsoleHub } from './hub.js'
import { PRESENT, seed, type Team } from './seed.js'

/**
 * A suite whose tests look at the console of a hub with a small team's work in it; `more` adds to that. The team is there once the
 * tests run.
 */
export function seededSuite(name: string, options: HubOptions = {}, more: (hub: ConsoleHub) => unknown = () => {}) {
  const team: Team = Object.create(null)
  const start = async (given: HubOptions) => {
    const folder = await teamFolder()
    const place = await openPlace(sqlite, given)
    await cp(join(folder, 'database'), directoryOf(place), { recursive: true })
    const saved = JSON.parse(await readFile(join(folder, 'team.json'), 'utf8'))
    const { admin } = saved
    const hub = await startConsoleHub(withKey(folder, given), { place, admin, moment: PRESENT })
    for (const who of ['grace', 'mara', 'tomas', 'priya', 'jonas'])
      saved.team[who].ask = connectHub({ url: hub.url, token: saved.team[who].token })
    Object.assign(team, saved.team)
    return hub
  }
  return { ...browserSuite(name, more, options, start), team }
}

/** Where a hub is that the team has worked with: one for all files of a run, since each suite goes on from a copy of it. */
async function teamFolder(): Promise<string> {
  const { HUB_TEST_SHARED: shared = (await temporaryDirectory()).path } = process.env
  const folder = join(shared, 'console-team')
  await madeOnce(folder, async (made) => {
    const hub = await startConsoleHub(withKey(made))
    const team = await seed(hub)
    await hub.stop()
    // What SQLite has beside the search index goes when its statements are collected as garbage: it may go under the copy's hands.
    const filter = (file: string) => !/_search-(shm|wal)$/.test(file)
    await cp(directoryOf(hub.place), join(made, 'database'), { recursive: true, filter })
    await hub.close()
    await writeFile(join(made, 'team.json'), JSON.stringify({ team, admin: hub.admin }))
  })
  return folder
}

/** The key that secrets of webhooks in the database are sealed with goes where that goes. */
function withKey(folder: string, { config, ...options }: HubOptions = {}): HubOptions {
  return { ...options, config: { webhooks: { keyFile: join(folder, 'webhook-key') }, ...config } }
}

function directoryOf({ db }: Place): string {
  if (db.driver !== 'sqlite') throw new Error('Only a database in a file can be copied.')
  return dirname(db.path)
}
