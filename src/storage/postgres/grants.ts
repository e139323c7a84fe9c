import pg from 'pg'
import type { PostgresConfig } from '../../config/types.js'
import type { Granting } from '../sql/dialect.js'

/** What erasure takes out of an event, and nothing else of it. */
const ERASED = 'who, who_salt, payload, payload_salt'

/**
 * Roles of a Postgres: one that serves, which may add to the log and change nothing of it, and one that may erase as well. Both need a
 * password, and own nothing.
 */
export function postgresGrants(
  { user: owner, database }: Pick<PostgresConfig, 'user' | 'database'>,
  { serving, erasing, logs }: Granting
): readonly string[] {
  const [own, to, eraser] = [owner, serving, erasing].map(pg.escapeIdentifier) as [string, string, string]
  const role = (name: string, quoted: string) => [
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${pg.escapeLiteral(name)}) THEN CREATE ROLE ${quoted} LOGIN; END IF; END $$;`
  ]
  return [
    ...role(serving, to),
    ...role(erasing, eraser),
    `GRANT ${to} TO ${eraser};`,
    `GRANT CONNECT ON DATABASE ${pg.escapeIdentifier(database)} TO ${to};`,
    `GRANT USAGE ON SCHEMA public TO ${to};`,
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC;',
    '-- Tables that a rebuild makes are for it too.',
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${own} IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${to};`,
    ...logs.flatMap(({ prefix, others }) => [
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${others.join(', ')} TO ${to};`,
      `REVOKE ALL ON ${prefix}log, ${prefix}migrations FROM ${to};`,
      `GRANT SELECT, INSERT ON ${prefix}log TO ${to};`,
      `GRANT SELECT ON ${prefix}migrations TO ${to};`,
      `GRANT UPDATE (${ERASED}) ON ${prefix}log TO ${eraser};`
    ])
  ]
}
