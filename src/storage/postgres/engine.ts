import type pg from 'pg'
import { WrongServer } from '../storage.js'
import { isAnswer } from './dialect.js'

/** What a connection of Postgres leads to. */
export interface Engine {
  /** True where something stands between that gives connections to the server out, and what one has set may not be there later. */
  readonly isPooled: boolean
  /** True for a server that follows another one, and takes no writes. */
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

const LOOK = `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS readonly, version() AS version`

/** Servers that speak as Postgres does and are not it, by what they say of their version. */
const OTHERS: readonly (readonly [name: string, said: RegExp])[] = [
  ['CockroachDB', /cockroach/i],
  ['YugabyteDB', /-YB-|yugabyte/i],
  ['Amazon Redshift', /redshift/i],
  ['Greenplum', /greenplum/i]
]

/**
 * Looks at what a client is connected to. Throws `WrongServer` for what speaks as Postgres does and is something else: the
 * order of the log rests on row locks and sessions that are Postgres's own.
 */
export async function lookAtEngine(client: pg.Client): Promise<Engine> {
  try {
    const { rows } = await client.query<{ pid: number; standby: boolean; readonly: string; version: string }>(LOOK)
    const [row] = rows
    requirePostgres(String(row?.version))
    return {
      // A pooler names a number of its own when a connection begins.
      isPooled: row?.pid !== Reflect.get(client, 'processID'),
      isStandby: row?.standby === true,
      isReadOnly: row?.readonly === 'on'
    }
  } catch (error) {
    if (!isAnswer(error)) throw error
    const { rows } = await client.query<{ version: string }>('SELECT version() AS version')
    requirePostgres(String(rows[0]?.version))
    throw error
  }
}

function requirePostgres(version: string): void {
  const other = OTHERS.find(([, said]) => said.test(version))?.[0]
  if (other !== undefined)
    throw new WrongServer(`The server is ${other}, and the hub does not run on it: see docs/engines.md.`)
}

/** What a server is known by, and how often another has taken over from it since its beginning. */
export interface Timeline {
  readonly system: string
  readonly number: number
}

/** A timeline as hubs tell each other of it. */
export const textOfTimeline = ({ system, number }: Timeline): string => `${system}:${number}`

/** The timeline that such a text names; null for another text. */
export function timelineIn(text: string): Timeline | null {
  const [, system, number] = /^(\d+):(\d+)$/.exec(text) ?? []
  return system === undefined ? null : { system, number: Number(number) }
}

const TIMELINE = `SELECT (SELECT system_identifier FROM pg_control_system())::text AS system, ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int AS number`

/** The timeline that a server writes on; null for one that does not tell, as some managed ones. */
export async function timelineOf(client: pg.Client): Promise<Timeline | null> {
  try {
    const { rows } = await client.query<Timeline>(TIMELINE)
    const [row] = rows
    return row ? { system: row.system, number: row.number } : null
  } catch (error) {
    if (isAnswer(error)) return null
    throw error
  }
}
