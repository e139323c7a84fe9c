import * as assert from 'uvu/assert'
import { ConfigError, type LoadedConfig, parseConfig } from '../../src/config/load.js'

/** The shortest configuration that is valid, as sections to pick from. */
export const valid = {
  server: 'server: {host: 127.0.0.1, port: 8787}',
  db: 'db: {driver: sqlite, path: hub.sqlite}',
  redis: 'redis: {driver: memory}'
} as const

/** Parses the valid sections with some replaced or added. */
export function parse(sections: Readonly<Record<string, string>> = {}, env: Record<string, string> = {}): LoadedConfig {
  return parseText(Object.values({ ...valid, ...sections }).join('\n'), env)
}

/** Parses a whole text as `server.yaml` in `/etc/hub`. */
export function parseText(text: string, env: Record<string, string> = {}): LoadedConfig {
  return parseConfig(text, 'server.yaml', '/etc/hub', env)
}

/** The error of an attempt that must fail. */
export function refused(attempt: () => unknown): ConfigError {
  try {
    attempt()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('The configuration was accepted.')
}

/** What the problems of a refused configuration say: `key: message`. */
export function complaints(attempt: () => unknown): readonly string[] {
  return refused(attempt).problems.map(({ key, message }) => `${key}: ${message}`)
}

/** Asserts that an attempt is refused with these problems. */
export function assertRefused(attempt: () => unknown, problems: readonly string[], about?: string): void {
  assert.equal(complaints(attempt), problems, about)
}
