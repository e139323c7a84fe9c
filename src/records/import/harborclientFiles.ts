import { readHarborClient } from './harborclient.js'
import { type Fields, fields, list, text } from './loose.js'
import { OF_NO_FORMAT, type Reading, type ReadSource } from './parts.js'

const MANIFEST = 'collection.json'
const COLLECTION = /"harborclientExport"\s*:\s*"collection"/
/** How the requests of an export that is one file begin. */
const WITH_REQUESTS = /"requests"\s*:\s*\[\s*\{/

/** The folder of a collection of HarborClient in a repository, where this is the file that tells it; null for another file. */
export function harborClientRoot(path: string, file: string): string | null {
  const isManifest = path === MANIFEST || path.endsWith(`/${MANIFEST}`)
  if (!isManifest || !COLLECTION.test(file) || WITH_REQUESTS.test(file)) return null
  return path.slice(0, -MANIFEST.length)
}

/** What the collection is called by the file that tells it. */
export const harborClientName = (files: ReadonlyMap<string, string>, parse: Reading['parse']): string =>
  text(fields(parse(files.get(MANIFEST) ?? '{}')).name)

/**
 * Reads the folder of a collection: the file that tells it, and one for each request, below it or in `requests`. A document is a file
 * beside them, or in the folder above, where HarborClient keeps those of all collections.
 */
export function readHarborClientFiles(
  files: ReadonlyMap<string, string>,
  _name: string,
  { notes, parse }: Reading,
  above: (path: string) => string | undefined
): ReadSource {
  const manifest = fields(parse(files.get(MANIFEST) ?? '{}'))
  const named = list(manifest.requests).map(text)
  const requests = [...files].flatMap(([path, file]): readonly Fields[] => {
    if (path === MANIFEST || !path.endsWith('.json')) return []
    const request = fields(parse(file))
    if (request.harborclientExport !== 'request') {
      notes.add(path, OF_NO_FORMAT)
      return []
    }
    const at = named.indexOf(path)
    return [{ ...(at >= 0 && { sort_order: at }), ...request }]
  })
  const documents = list(manifest.documents).map((one) => {
    const { file, content, ...rest } = fields(one)
    const written = above(text(file)) ?? files.get(text(file))
    return { ...rest, content: written ?? content }
  })
  return readHarborClient({ ...manifest, requests, documents }, notes)
}
