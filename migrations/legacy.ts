import { type Command, codec } from '../commands/index.js'
import { invitationsTable } from '../commands/people/invitation/table.js'
import { tokensTable } from '../commands/people/token/table.js'
import { importEvents } from '../commands/takeover/events.js'
import { grantWarnings, listUsers } from '../queries/users.js'
import { isThere, NotReady, openStorage } from '../src/app/databases.js'
import { openReadyLedger, type ReadyLedgerOptions } from '../src/app/hub.js'
import { openPlain } from '../src/app/plainTables.js'
import type { DbConfig, HubConfig } from '../src/config/types.js'
import { keepRead } from '../src/followers/notices/takenOver.js'
import { type Ledger, systemOrigin } from '../src/ledger/ledger.js'
import { releaseOf } from '../src/ledger/release.js'
import { modelWarnings, offeredIds } from '../src/llm/catalog.js'
import { pagesOf } from '../src/log/logQuery.js'
import { eventsAt } from '../src/log/pages.js'
import { WHOLE_LOG } from '../src/storage/search.js'
import type { Storage, TableSpec } from '../src/storage/storage.js'
import type { Take } from './legacy/sink.js'
import { LegacySource, type TableReport, type UnknownTable } from './legacy/source.js'
import { BEGUN_STREAM, type Beside, begunEvent, markerOf, takeOver } from './legacy/takeover.js'
import type { Here } from './legacy/tokens.js'
import { schemaState } from './migrate.js'

export interface TakeoverReport {
  readonly tables: readonly TableReport[]
  /** Tables that this hub does not know. */
  readonly unsupportedTables: readonly UnknownTable[]
  /** What of the models that the configuration names, or that accounts are granted, is not on offer. */
  readonly models: readonly string[]
}

/**
 * How it stands with an older hub: there is `none`, its tables are in the hub's own database and `pending`, a takeover was begun
 * and is `unfinished`, or it is `done`.
 */
export type TakeoverState = 'none' | 'pending' | 'unfinished' | 'done'

const TENANTS_MAX = 1000

/** Tells how it stands with an older hub whose tables are in the hub's own database, or that was begun to be taken over. */
export async function takeoverState({ db }: Pick<HubConfig, 'db'>): Promise<TakeoverState> {
  if (!isThere(db)) return 'none'
  const storage = await openStorage(db)
  try {
    const isSetUp = (await storage.schema.applied()).length > 0
    const begun = isSetUp ? await begunTenants(storage) : []
    for (const tenant of begun) if (!(await isTakenOver(storage, tenant))) return 'unfinished'
    if (begun.length > 0) return 'done'
    const tenant = await tenantIn(db)
    if (tenant === null) return 'none'
    return isSetUp && ((await isTakenOver(storage, tenant)) || (await wasAnyTakenOver(storage))) ? 'done' : 'pending'
  } finally {
    await storage.close()
  }
}

/** Refuses with `NotReady` to serve a database in which an older hub is not, or not wholly, taken over. */
export async function requireTakenOver(config: Pick<HubConfig, 'db'>): Promise<void> {
  const state = await takeoverState(config)
  if (state === 'pending')
    throw new NotReady(
      'The tables of an older hub are in this database and not taken over yet. Run `hub migrate` first.'
    )
  if (state === 'unfinished')
    throw new NotReady(
      'The takeover of an older hub was begun and is not finished. Run `hub migrate` again, as it was run (with its --from and --tenant): it goes on where it was.'
    )
}

/**
 * Takes over the plain tables that an older hub left in `from`, once; they are left as they are. Null where there are none or
 * they are taken over already. One that fails has said in the log that it was begun, and goes on when it is run again. With
 * `dryRun` nothing is written, and the report says what would be taken. The ledger that takes them is opened with `options`.
 */
export async function takeOverLegacy(
  config: HubConfig,
  from: DbConfig,
  { tenant, dryRun }: { readonly tenant?: string | undefined; readonly dryRun: boolean },
  options: ReadyLedgerOptions = {}
): Promise<TakeoverReport | null> {
  const plain = await openPlain(from)
  try {
    const source = plain && (await LegacySource.open(plain, tenant))
    if (!source) return null
    const report = async () => ({
      tables: [...source.reports.values()],
      unsupportedTables: await source.unknownTables(from.prefix),
      models: [...modelWarnings(config), ...grantWarnings(await usersIn(source), offeredIds(config))]
    })
    if (dryRun && !(await isReady(config.db))) {
      await takeOver(source, async () => undefined, NOTHING_BESIDE, NOBODY, timeNow())
      return await report()
    }
    const ledger = await openReadyLedger(config, options)
    try {
      const take = async () => {
        if (await isTakenOver(ledger.storage, source.tenant)) return null
        const now = timeNow()
        if (dryRun) await takeOver(source, async () => undefined, NOTHING_BESIDE, await here(ledger), now)
        else await takeOver(source, await begin(ledger, source.tenant), beside(ledger, now), await here(ledger), now)
        return await report()
      }
      return dryRun ? await take() : await ledger.storage.schema.exclusively(take)
    } finally {
      await ledger.close()
    }
  } finally {
    await plain?.close()
  }
}

async function usersIn(source: LegacySource) {
  const users = []
  for await (const user of source.records('users')) if (user.role === 'user') users.push(user)
  return users
}

function timeNow(): string {
  return new Date().toISOString()
}

/** What is known of a hub that is not set up yet. */
const NOBODY: Here = { names: new Map(), holderOf: async () => null }

async function here({ readModel }: Ledger): Promise<Here> {
  return {
    names: new Map((await listUsers(readModel)).map(({ id, name }) => [name, id])),
    async holderOf(kind, hash) {
      const table: TableSpec = kind === 'token' ? tokensTable : invitationsTable
      return (await readModel.list(table, 'byHash', [hash], { limit: 1, body: false }))[0]?.id ?? null
    }
  }
}

const NOTHING_BESIDE: Beside = {
  async putImage() {},
  async tokensUsed() {},
  async noticesRead() {}
}

function beside({ storage }: Ledger, now: string): Beside {
  return {
    putImage: ({ ref, bytes }) => storage.blobs.put(ref.sha256, bytes),
    tokensUsed: (uses) => storage.touchTokens(uses),
    noticesRead: (read) => keepRead(storage, read, now)
  }
}

/** Says in the log that a takeover begins, or goes on; then what is there already is left out, by its stream. */
async function begin(ledger: Ledger, tenant: string): Promise<Take> {
  const run = (command: Command) => ledger.run(command, systemOrigin)
  if (!(await begunTenants(ledger.storage)).includes(tenant)) {
    await run({ type: 'ImportRecords', records: [begunEvent(tenant)] })
    return run
  }
  return async (command) => {
    if (command.type !== 'ImportRecords') return run(command)
    const begun = await Promise.all(command.records.map(({ stream }) => hasBegun(ledger.storage, stream)))
    return run({ ...command, records: command.records.filter((_, i) => !begun[i]) })
  }
}

async function isReady(db: DbConfig): Promise<boolean> {
  if (!isThere(db)) return false
  const storage = await openStorage(db)
  try {
    return (await schemaState(storage)) === 'current' && releaseOf(await storage.head()) === 'current'
  } finally {
    await storage.close()
  }
}

async function begunTenants(storage: Storage): Promise<readonly string[]> {
  const headers = await storage.searchLog({ streams: [BEGUN_STREAM] }, WHOLE_LOG, TENANTS_MAX, false)
  const tenants: string[] = []
  for await (const { type, schema, payload } of eventsAt(storage, headers)) {
    if (payload.text === null) continue
    tenants.push(importEvents.TakeoverBegun.data.parse(codec.decode(type, schema, payload.text)).tenant)
  }
  return tenants
}

function isTakenOver(storage: Storage, tenant: string): Promise<boolean> {
  return hasBegun(storage, markerOf(tenant))
}

/** True for a stream that has events. */
async function hasBegun(storage: Storage, stream: string): Promise<boolean> {
  return (await storage.searchLog({ streams: [stream] }, WHOLE_LOG, 1, false)).length > 0
}

/** The first version did not say what it began: another tenant than the default one is found by searching. */
async function wasAnyTakenOver(storage: Storage): Promise<boolean> {
  for await (const events of pagesOf({ storage }, { filter: { types: ['TakeoverCompleted'] } }))
    if (events.length > 0) return true
  return false
}

/** The tenant that would be taken over by default from the tables of an older hub in a database; null where there are none. */
async function tenantIn(db: DbConfig): Promise<string | null> {
  const plain = await openPlain(db)
  try {
    return (plain && (await LegacySource.open(plain))?.tenant) ?? null
  } finally {
    await plain?.close()
  }
}
