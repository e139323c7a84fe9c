import { tables } from '../../projections/index.js'
import type { MysqlConfig } from '../../src/config/types.js'
import { mysqlPlaces } from '../../src/storage/mysql/connection.js'
import { openMysql } from '../../src/storage/mysql.js'
import { mysqlDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import type { Wire } from './network.js'
import { outageSuite, type Server } from './outages.js'

/** Length, number and kind of a packet, which stand before the text of a statement. */
const HEADER_BYTES = 5

/** A transaction ends with a statement of its own. */
const wire: Wire = { isCommit: (data) => data.subarray(HEADER_BYTES).toString() === 'COMMIT', isAnswer: () => true }

async function findServer(): Promise<Server<MysqlConfig>> {
  const found = await mysqlDatabase('outage')
  if (!found) throw new Error('There is no MySQL.')
  const lockHead = async () => {
    const connection = await mysqlPlaces(found.config).connect({ limit_ms: 10_000 })
    await connection.run('START TRANSACTION')
    await connection.run(`SELECT * FROM ${found.config.prefix}head FOR UPDATE`)
    return () => connection.close()
  }
  return { config: found.config, lockHead, terminate: found.terminate, drop: found.drop }
}

const test = suite('outages: mysql', { needs: ['mysql'] })
outageSuite(test, wire, findServer, (config) => openMysql(config, tables))
test.run()
