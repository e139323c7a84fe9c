import { grouped } from '../../lib/grouped.js'
import { type Example, examplesIn, examplesName } from '../formats/examples.js'
import { type DocumentItem, type FolderItem, type Item, README, type RequestItem } from '../formats/model.js'

/** A request with the examples that a document beside it holds. */
export interface RequestWithExamples {
  readonly request: RequestItem
  readonly examples: readonly Example[]
}

/** What is in a container, by what formats make of it. */
export interface Container {
  /** Empty where it has none. */
  readonly description: string
  /** The document that the description is. */
  readonly readme: DocumentItem | undefined
  readonly folders: readonly FolderItem[]
  readonly requests: readonly RequestWithExamples[]
  /** Documents that are neither its description nor examples. */
  readonly documents: readonly DocumentItem[]
}

/** Sorts what is in a container, keeping its order. */
export function containerOf(items: readonly Item[]): Container {
  const documents = items.filter((item) => item.kind === 'document')
  const readme = documents.find(({ name }) => name === README)
  const used = new Set<DocumentItem>(readme ? [readme] : [])
  const unused = byName(documents.filter((one) => one !== readme))
  const requests = items.flatMap((request): readonly RequestWithExamples[] => {
    if (request.kind !== 'request') return []
    const named = unused.get(examplesName(request.content.name)) ?? []
    const found = named.at(-1)
    const examples = found ? examplesIn(found.content) : null
    if (found && examples) {
      used.add(found)
      named.pop()
    }
    return [{ request, examples: examples ?? [] }]
  })
  return {
    description: readme?.content ?? '',
    readme,
    folders: items.filter((item) => item.kind === 'folder'),
    requests,
    documents: documents.filter((one) => !used.has(one))
  }
}

/** Documents by what they are called; of several with one name the first is the last. */
function byName(documents: readonly DocumentItem[]): ReadonlyMap<string, DocumentItem[]> {
  return new Map([...grouped(documents, ({ name }) => name)].map(([name, ones]) => [name, ones.toReversed()]))
}
