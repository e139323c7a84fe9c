import type { OpenCollection } from '@opencollection/types'
import type { Folder, Item as OpenItem } from '@opencollection/types/collection/item'
import type { Documentation } from '@opencollection/types/common/documentation'
import { type CollectionTree, type Item, type Notes, placeIn } from '../../formats/model.js'
import { containerOf, type RequestWithExamples } from '../container.js'
import { freeName, takenNames, type WrittenFolder, writeDocuments } from '../files.js'
import { STREAM_LOST, writtenVariables, yamlText } from '../written.js'
import { defaultsOf, requestItem } from './items.js'

const VERSION = '1.0.0'

/** A collection as one file of OpenCollection, in YAML. */
export function writeOpenFile(tree: CollectionTree, notes: Notes): string {
  return yamlText({ ...rootOf(tree, notes), items: itemsIn(tree.items, [], notes), bundled: true })
}

/** A collection as the files of a directory of OpenCollection, by their paths, and documents as they are. */
export function writeOpenFiles(tree: CollectionTree, notes: Notes): ReadonlyMap<string, string> {
  const files = new Map([['opencollection.yml', yamlText({ ...rootOf(tree, notes), bundled: false })]])
  writeFolder({ files, base: '', path: [], names: takenNames(...RESERVED) }, tree.items, notes)
  return files
}

function rootOf({ name, settings, items }: CollectionTree, notes: Notes): OpenCollection {
  const variables = writtenVariables(settings.variables, placeIn([]), notes, { secrets: false })
  const request = defaultsOf(settings, variables)
  return {
    opencollection: VERSION,
    info: { name },
    ...(Object.keys(request).length > 0 && { request }),
    ...docsOf(containerOf(items).description)
  }
}

const docsOf = (content: string): { readonly docs?: Documentation } =>
  content === '' ? {} : { docs: { content, type: 'text/markdown' } }

const folderOf = (name: string, items: readonly Item[], seq: number): Folder => ({
  info: { name, type: 'folder', seq },
  ...docsOf(containerOf(items).description)
})

function requestOf({ request, examples }: RequestWithExamples, path: readonly string[], seq: number, notes: Notes) {
  const { content } = request
  if (content.protocol !== 'http') notes.add(placeIn([...path, content.name]), STREAM_LOST)
  return requestItem(content, examples, seq)
}

function itemsIn(items: readonly Item[], path: readonly string[], notes: Notes): OpenItem[] {
  const { folders, requests, documents } = containerOf(items)
  for (const { name } of documents)
    notes.add(placeIn([...path, name]), 'Documents are left out: one file of OpenCollection has none.')
  return [
    ...folders.map(({ name, items }, i) => ({
      ...folderOf(name, items, i + 1),
      items: itemsIn(items, [...path, name], notes)
    })),
    ...requests.map((one, i) => requestOf(one, path, folders.length + i + 1, notes))
  ]
}

/** What stands in a folder besides requests, by its names. */
const RESERVED = ['opencollection', 'folder', 'environments', 'node_modules']

function writeFolder(folder: WrittenFolder, items: readonly Item[], notes: Notes): void {
  const { files, base, path, names } = folder
  const { folders, requests, documents } = containerOf(items)
  let seq = 0
  for (const { name, items } of folders) {
    const within = `${base}${freeName(name, names)}/`
    files.set(`${within}folder.yml`, yamlText(folderOf(name, items, ++seq)))
    writeFolder({ files, base: within, path: [...path, name], names: takenNames(...RESERVED) }, items, notes)
  }
  for (const one of requests) {
    const file = `${base}${freeName(one.request.content.name, names)}.yml`
    files.set(file, yamlText(requestOf(one, path, ++seq, notes)))
  }
  writeDocuments(folder, documents, items, notes)
}
