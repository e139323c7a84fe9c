import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const PRODUCT = ['commands', 'projections', 'queries', 'migrations', 'cli', 'src', 'package.json', 'tsconfig.json']

/** How a file's text becomes another. */
export type Edit = (text: string) => string

/** What a copy of the hub has that the hub has not: changes of its files, and texts of new ones, by their paths. */
export interface Extension {
  readonly edits: Readonly<Record<string, Edit>>
  readonly files: Readonly<Record<string, string>>
}

/** An edit that puts lines behind others, by these, each of which has to be there once. */
export function behind(added: Readonly<Record<string, string>>): Edit {
  return (text) =>
    Object.entries(added).reduce((text, [line, more]) => {
      const [before, after, ...further] = text.split(`${line}\n`)
      assert.ok(before !== undefined && after !== undefined && further.length === 0, `the file has one line: ${line}`)
      return `${before}${line}\n${more}\n${after}`
    }, text)
}

/** Copies the hub, extends it and compiles it. Resolves with its main module; rejects with what the compiler says. */
export async function builtWith(path: string, { edits, files }: Extension): Promise<string> {
  for (const part of PRODUCT) cpSync(join(ROOT, part), join(path, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  for (const [file, edit] of Object.entries(edits))
    writeFileSync(join(path, file), edit(readFileSync(join(path, file), 'utf8')))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    // A new file, never one that is there.
    writeFileSync(join(path, file), text, { flag: 'wx' })
  }
  const options = {
    include: PRODUCT.filter((part) => !part.includes('.')),
    exclude: ['cli/vite.config.ts']
  }
  writeFileSync(join(path, 'product.json'), JSON.stringify({ extends: './tsconfig.json', ...options }))
  process.stdout.write('The copy is compiled.\n')
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', 'product.json', '--checkers', '1'], {
    cwd: path,
    encoding: 'utf8'
  }).catch(({ stdout }: { readonly stdout: string }) => assert.unreachable(stdout))
  return join(path, 'dist/cli/main.js')
}
