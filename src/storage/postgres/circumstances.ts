import type { RawRow, SqlDriver } from '../sql/dialect.js'
import type { Circumstance } from '../storage.js'

const LOOK = `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS waits,
current_setting('synchronous_standby_names') AS synchronous, (SELECT count(*)::int FROM pg_stat_replication WHERE application_name <> 'pg_basebackup') AS standbys`

const OLDEST = 130_000

/** What bears on the promises of a hub: how a server is reached, and what may be lost where it crashes or another takes over. */
export async function postgresCircumstances(
  query: SqlDriver['query'],
  isPooled: boolean
): Promise<readonly Circumstance[]> {
  const [row = {}] = await query({ text: LOOK, values: [] })
  return [...(isPooled ? [POOLED] : []), ...versionOf(row), ...durabilityOf(row), ...standbysOf(row)]
}

const POOLED: Circumstance = {
  text: 'A pooler gives out the connections to it; statements are not prepared.'
}

function versionOf({ number, version }: RawRow): readonly Circumstance[] {
  if (Number(number) >= OLDEST) return []
  return [{ text: `It is Postgres ${version}, which the hub is not tested on.`, advice: 'Use Postgres 13 or later.' }]
}

function durabilityOf({ fsync, pages, waits }: RawRow): readonly Circumstance[] {
  const off = Object.entries({ fsync, full_page_writes: pages, synchronous_commit: waits })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name)
  if (off.length === 0) return []
  const text = `${off.join(', ')} ${off.length > 1 ? 'are' : 'is'} off: what was acknowledged can be lost when its machine crashes.`
  return [{ text, advice: 'Switch it on there, for the database of the hub at least.' }]
}

function standbysOf({ standbys, synchronous }: RawRow): readonly Circumstance[] {
  const count = Number(standbys)
  if (count === 0) return []
  const followed = `${count} ${count === 1 ? 'standby follows' : 'standbys follow'} it`
  if (synchronous !== '') return [{ text: `${followed}, and a commit waits for ${synchronous}.` }]
  return [
    {
      text: `${followed} asynchronously: where one takes over, the last acknowledged changes can be missing.`,
      advice: 'Set synchronous_standby_names, with Patroni synchronous_mode, where none may be lost.'
    }
  ]
}
