import { strFromU8, unzipSync } from 'fflate'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ExportFormat } from '../../../src/records/export/exported.js'
import { load } from './packages.js'

const sdk = z.object({ Collection: z.custom<new (value: unknown) => { forEachItem(each: () => void): void }>() })
const converters = z.object({ openCollectionToBruno: z.custom<(value: unknown) => unknown>() })
const filestore = z.object({
  parseRequest: z.custom<(text: string, options: object) => unknown>(),
  parseFolder: z.custom<(text: string, options: object) => unknown>(),
  parseCollection: z.custom<(text: string, options: object) => unknown>()
})
const bruno = z.object({ items: z.array(z.unknown()) })

/** How many requests the library of a format itself finds in an export; null where there is no such library. */
export function requestsRead(format: ExportFormat, bytes: Uint8Array): number | null {
  const text = () => Buffer.from(bytes).toString()
  switch (format) {
    case 'postman': {
      const { Collection } = sdk.parse(load('postman-collection'))
      let count = 0
      new Collection(JSON.parse(text())).forEachItem(() => count++)
      return count
    }
    case 'opencollection-file':
      return requestsIn(
        bruno.parse(converters.parse(load('@usebruno/converters')).openCollectionToBruno(parse(text()))).items
      )
    case 'opencollection':
      return filesRead(bytes, 'yml')
    case 'bruno':
      return filesRead(bytes, 'bru')
    default:
      return null
  }
}

const held = z.looseObject({ type: z.string(), items: z.array(z.unknown()).optional() })

function requestsIn(items: readonly unknown[]): number {
  return items.reduce<number>((sum, one) => {
    const { type, items } = held.parse(one)
    return sum + (type === 'folder' ? requestsIn(items ?? []) : 1)
  }, 0)
}

/** Reads every file of a folder with the library of Bruno, which throws where it cannot. */
function filesRead(bytes: Uint8Array, format: 'yml' | 'bru'): number {
  const { parseRequest, parseFolder, parseCollection } = filestore.parse(load('@usebruno/filestore'))
  let count = 0
  for (const [path, file] of Object.entries(unzipSync(bytes))) {
    if (!path.endsWith(`.${format}`)) continue
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === `folder.${format}`) parseFolder(strFromU8(file), { format })
    else if (name === 'opencollection.yml' || name === 'collection.bru') parseCollection(strFromU8(file), { format })
    else {
      parseRequest(strFromU8(file), { format })
      count++
    }
  }
  return count
}
