import pg from 'pg'
import { tables } from '../../projections/index.js'
import type { PostgresConfig } from '../../src/config/types.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import type { Wire } from './network.js'
import { outageSuite, type Server } from './outages.js'

/** Only what ends with a commit carries the type of an event, and only that is answered by this tag, once it is committed. */
const wire: Wire = { isCommit: (data) => data.includes('Created'), isAnswer: (data) => data.includes('COMMIT\0') }

async function findServer(): Promise<Server<PostgresConfig>> {
  const found = await postgresDatabase('outage')
  if (!found) throw new Error('There is no Postgres.')
  const { user, password, host, port, database } = found.config
  const admin = new pg.Client({ user, password, host, port, database })
  await admin.connect()
  return {
    config: found.config,
    async lockHead() {
      await admin.query(`BEGIN; SELECT * FROM ${found.config.prefix}head FOR UPDATE`)
      return async () => void (await admin.query('COMMIT'))
    },
    async terminate() {
      const others =
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()'
      await admin.query(others, [database])
    },
    async drop() {
      await admin.end()
      await found.drop()
    }
  }
}

const test = suite('outages: postgres', { needs: ['postgres'] })
outageSuite(test, wire, findServer, (config) => openPostgres(config, tables))
test.run()
