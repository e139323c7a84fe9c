import { tables } from '../../projections/index.js'
import type { MysqlConfig } from '../../src/config/types.js'
import { connect } from '../../src/storage/mysql/connection.js'
import { openMysql } from '../../src/storage/mysql.js'
import { mysqlDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import type { Wire } from './network.js'
import { outageSuite, type Server } from './outages.js'

const HEADER_BYTES = 4
const OK = 0
const MORE_RESULTS = 0x08

/** A transaction ends in its one packet, and the server answers each of its statements. */
const wire: Wire = {
  isCommit: (data) => data.includes('; COMMIT'),
  isAnswer(data) {
    for (let at = 0; at < data.length; at += HEADER_BYTES + data.readUIntLE(at, 3)) {
      if (!isFollowed(data.subarray(at + HEADER_BYTES))) return true
    }
    return false
  }
}

/** True for the answer to a statement that is not the last. */
function isFollowed(packet: Buffer): boolean {
  if (packet[0] !== OK) return false
  const status = 1 + numberBytes(packet, 1)
  return (packet.readUInt16LE(status + numberBytes(packet, status)) & MORE_RESULTS) !== 0
}

/** How long a number of the protocol is: one byte, or a byte that says how many follow. */
function numberBytes(packet: Buffer, at: number): number {
  const following: Readonly<Record<number, number>> = { 252: 2, 253: 3, 254: 8 }
  return 1 + (following[packet[at] ?? 0] ?? 0)
}

async function findServer(): Promise<Server<MysqlConfig>> {
  const found = await mysqlDatabase('outage')
  if (!found) throw new Error('There is no MySQL.')
  const lockHead = async () => {
    const role = { isolation: 'READ COMMITTED', isMultiple: true, limit_ms: 10_000 } as const
    const connection = await connect(found.config, role)
    await connection.run(`START TRANSACTION; SELECT * FROM ${found.config.prefix}head FOR UPDATE`)
    return () => connection.close()
  }
  return { config: found.config, lockHead, terminate: found.terminate, drop: found.drop }
}

const test = suite('outages: mysql', { needs: ['mysql'] })
outageSuite(test, wire, findServer, (config) => openMysql(config, tables))
test.run()
