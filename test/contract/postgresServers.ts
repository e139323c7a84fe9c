import pg from 'pg'
import type { Address, PostgresConfig } from '../../src/config/types.js'
import { USUAL } from '../support/databases.js'

/** How a hub is led to private servers, or to any other places, in this order. */
export function postgresAt(
  places: readonly (Partial<Address> & { readonly port: number })[],
  more: Partial<PostgresConfig> = {}
): PostgresConfig {
  const [first, ...otherHosts] = places.map(({ host = '127.0.0.1', port }) => ({ host, port }))
  if (first === undefined) throw new Error('A hub is led to one place at least.')
  const login = { user: 'postgres', password: '', database: 'postgres' }
  const others = otherHosts.length > 0 ? { otherHosts } : {}
  return { driver: 'postgres', ...first, ...others, targetSessionAttrs: 'any', ...login, ...USUAL, ...more }
}

/** What a private server answers, asked by its administrator. */
export async function asked(
  port: number,
  text: string,
  database = 'postgres'
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
