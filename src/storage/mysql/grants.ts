import mysql from 'mysql2'
import type { MysqlConfig } from '../../config/types.js'
import type { Granting } from '../sql/dialect.js'

/** What stays of an event that is erased. */
const KEPT = [
  ...['position', 'stream', 'version', 'type', 'schema_version', 'at', 'command_id', 'actor_id', 'token_id'],
  ...['request_id', 'correlation_id', 'causation', 'chain', 'who_commitment', 'payload_commitment']
]

/**
 * Accounts of a MySQL or MariaDB: one that serves, which may add to the log and change nothing of it, and one that may erase as well.
 * Rights there are of a database or of a table that is there, so that triggers guard the log.
 */
export function mysqlGrants(
  { user: owner, database }: Pick<MysqlConfig, 'user' | 'database'>,
  { serving, erasing, logs }: Granting
): readonly string[] {
  const at = mysql.escapeId(database)
  // Where rights are given to a database its name is a pattern.
  const named = mysql.escapeId(database.replaceAll(/[_%\\]/g, '\\$&'))
  const by = `SUBSTRING_INDEX(USER(), '@', 1)`
  const refuse = `SIGNAL SQLSTATE '42000' SET MYSQL_ERRNO = 1142, MESSAGE_TEXT = 'The log is only added to.'`
  const isKept = KEPT.map((column) => `NEW.${column} <=> OLD.${column}`).join(' AND ')
  const trigger = (prefix: string, event: string, condition: string) => [
    `DROP TRIGGER IF EXISTS ${at}.${prefix}log_${event.toLowerCase()};`,
    'DELIMITER //',
    `CREATE TRIGGER ${at}.${prefix}log_${event.toLowerCase()} BEFORE ${event} ON ${at}.${prefix}log FOR EACH ROW IF ${condition} THEN ${refuse}; END IF //`,
    'DELIMITER ;'
  ]
  const isOwner = `${by} = ${mysql.escape(owner)}`
  return [
    ...[serving, erasing].flatMap((name) => [
      `CREATE USER IF NOT EXISTS ${mysql.escape(name)}@'%';`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${named}.* TO ${mysql.escape(name)}@'%';`
    ]),
    ...logs.flatMap(({ prefix }) => [
      ...trigger(prefix, 'DELETE', `NOT ${isOwner}`),
      ...trigger(prefix, 'UPDATE', `NOT (${isOwner} OR (${by} = ${mysql.escape(erasing)} AND ${isKept}))`)
    ])
  ]
}
