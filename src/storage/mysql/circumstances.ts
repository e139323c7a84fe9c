import type { SqlDriver } from '../sql/dialect.js'
import type { Circumstance } from '../storage.js'

const VARIABLES =
  "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'wsrep_on')"
const STATUS =
  "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_cluster_size', 'Slaves_connected', 'Rpl_semi_sync_master_status', 'Rpl_semi_sync_source_status')"

/** What bears on the promises of a hub: what may be lost where a server crashes or another takes over. */
export async function mysqlCircumstances(query: SqlDriver['query']): Promise<readonly Circumstance[]> {
  const [variables, status] = await Promise.all(
    [VARIABLES, STATUS].map(async (text) => {
      const rows = await query({ text, values: [], hasLimit: true })
      return new Map(rows.map((row) => [String(row.Variable_name), String(row.Value)]))
    })
  )
  const of = (name: string) => variables?.get(name) ?? status?.get(name)
  return [...durabilityOf(of), ...(of('wsrep_on') === 'ON' ? galera(of('wsrep_cluster_size')) : replicasOf(of))]
}

type Lookup = (name: string) => string | undefined

function durabilityOf(of: Lookup): readonly Circumstance[] {
  const loose = [
    ...(of('innodb_flush_log_at_trx_commit') === '1' ? [] : ['innodb_flush_log_at_trx_commit']),
    ...(of('log_bin') === 'ON' && of('sync_binlog') !== '1' ? ['sync_binlog'] : [])
  ]
  if (loose.length === 0) return []
  const text = `${loose.join(' and ')} ${loose.length > 1 ? 'are' : 'is'} not 1: what was acknowledged can be lost when its machine crashes.`
  return [{ text, advice: 'Set it to 1 there.' }]
}

function galera(size = 'some'): readonly Circumstance[] {
  return [
    {
      text: `It is one of ${size} nodes of a Galera cluster: locks for what is done alone are those of one node.`,
      advice:
        'Let all hubs and commands use one node, and another only where that one is gone: db.hosts in the same order everywhere.'
    }
  ]
}

function replicasOf(of: Lookup): readonly Circumstance[] {
  const count = Number(of('Slaves_connected') ?? 0)
  if (count === 0) return []
  const isWaitedFor = [of('Rpl_semi_sync_master_status'), of('Rpl_semi_sync_source_status')].includes('ON')
  const followed = `${count} ${count === 1 ? 'replica follows' : 'replicas follow'} it`
  if (isWaitedFor) return [{ text: `${followed}, and a commit waits until one has it.` }]
  return [
    {
      text: `${followed} asynchronously: where one takes over, the last acknowledged changes can be missing.`,
      advice: 'Switch semi-synchronous replication on where none may be lost.'
    }
  ]
}
