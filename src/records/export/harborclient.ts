import type { EnvironmentContent } from '../../../commands/records/environment/fields.js'
import { type CollectionTree, type Item, itemsOf, type Notes, placeIn, type Variable } from '../formats/model.js'
import { freeName, takenNames } from './files.js'
import { jsonText, STREAM_LOST } from './written.js'

/** Collections as HarborClient exports them, and as it keeps them in repositories. */

/** An environment to be written. */
export type Environment = Pick<EnvironmentContent, 'name' | 'variables' | 'parentUuid'> & { readonly id: string }

const said = <K extends string>(kind: K) => ({ harborclientVersion: 1, harborclientExport: kind })

/** A collection as one file of HarborClient. */
export function writeHarborClient(tree: CollectionTree, notes: Notes): object {
  return { ...said('collection'), ...collectionOf(tree, notes), ...rowsOf(tree.items, notes) }
}

/** The same as files by their paths: the collection, and one for each request and document. */
export function writeHarborClientFiles(tree: CollectionTree, notes: Notes): ReadonlyMap<string, string> {
  const { folders, requests, documents } = rowsOf(tree.items, notes)
  const slug = slugOf(tree.name)
  const base = `.harborclient/collection-${slug}/`
  const files = new Map<string, string>()
  const names = takenNames()
  const requestFiles = requests.map((one) => {
    // An id that comes from elsewhere may be nothing that a file can be called.
    const file = `${freeName(`req-${one.uuid}`, names)}.json`
    files.set(`${base}${file}`, jsonText({ ...said('request'), ...one }))
    return file
  })
  const documentFiles = documents.map(({ content, ...one }) => {
    // Documents of all collections may come to lie in one folder.
    const file = `${freeName(`${one.name.replace(/\.md$/i, '')}-${slug}`, names)}.md`
    files.set(`${base}${file}`, content)
    return { file, ...one }
  })
  const manifest = { ...said('collection'), ...collectionOf(tree, notes), folders }
  const whole = { ...manifest, requests: requestFiles, documents: documentFiles }
  return new Map([[`${base}collection.json`, jsonText(whole)], ...files])
}

/** An environment as a file of HarborClient. */
export function harborClientEnvironment({ id, name, variables, parentUuid }: Environment, notes: Notes): object {
  return { ...said('environment'), uuid: id, name, variables: sharedVariables(variables, name, notes), parentUuid }
}

/** A name as HarborClient has it in paths. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || 'untitled'

function collectionOf({ name, sourceId, settings }: CollectionTree, notes: Notes) {
  const { variables, headers, auth, preRequestScript, postRequestScript } = settings
  return {
    ...{ uuid: sourceId ?? undefined, name, variables: sharedVariables(variables, placeIn([]), notes), headers, auth },
    ...{ pre_request_script: preRequestScript, post_request_script: postRequestScript }
  }
}

/** Variables without the values that are not shared: HarborClient keeps those out of its files too. */
function sharedVariables(variables: readonly Variable[], place: string, notes: Notes): readonly Variable[] {
  if (variables.some(({ share, value }) => !share && value !== ''))
    notes.add(place, 'Values that are not shared are left out, as HarborClient leaves them out.')
  return variables.map((one) => (one.share ? one : { ...one, value: '' }))
}

/** What is in a collection, as lists that name the folder of each. */
function rowsOf(items: readonly Item[], notes: Notes) {
  const ids = idsOf(items)
  const folders: object[] = []
  const requests: (object & { readonly uuid: string })[] = []
  const documents: (object & { readonly uuid: string; readonly name: string; readonly content: string })[] = []
  const add = (items: readonly Item[], folder: string | null, path: readonly string[]) => {
    for (const [sort_order, item] of items.entries()) {
      const uuid = ids.get(item) ?? ''
      const placed = { uuid, sort_order, folder_uuid: folder }
      if (item.kind === 'folder') {
        folders.push({ uuid, name: item.name, parent_folder_uuid: folder, sort_order })
        add(item.items, uuid, [...path, item.name])
      } else if (item.kind === 'document') documents.push({ ...placed, name: item.name, content: item.content })
      else requests.push({ ...placed, ...requestOf(item.content, path, notes) })
    }
  }
  add(items, null, [])
  return { folders, requests, documents }
}

/** The id of each item: its own, or where it has none one that no other in the file has. */
function idsOf(items: readonly Item[]): ReadonlyMap<Item, string> {
  let count = 0
  const numbered = () => `00000000-0000-8000-8000-${(++count).toString(16).padStart(12, '0')}`
  return new Map([...itemsOf(items)].map(({ item }) => [item, item.sourceId ?? numbered()]))
}

function requestOf(content: Extract<Item, { kind: 'request' }>['content'], path: readonly string[], notes: Notes) {
  const { name, method, url, headers, params, auth, body, bodyType, comment, protocol } = content
  if (protocol !== 'http') notes.add(placeIn([...path, name]), STREAM_LOST)
  return {
    ...{ name, method, url, headers, params, auth, body, body_type: bodyType },
    ...{ pre_request_script: content.preRequestScript, post_request_script: content.postRequestScript, comment },
    tags: ''
  }
}
