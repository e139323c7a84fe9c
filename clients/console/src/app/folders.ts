import { FOLDER_MOST, isReadByImport, leftOutOfFolder } from '../model/importing.js'

/** A file of a folder, or a folder in it that is not looked into, by its path from the folder on. */
export interface Inside {
  readonly path: string
  readonly file: (() => Promise<File>) | null
}

/** A folder to be imported: what is in it is looked up when its turn comes. */
export interface Folder {
  readonly name: string
  readonly files: () => AsyncIterable<Inside>
}

/** A folder as a zip archive of the files in it that an import reads, and what is left out of it, in sentences. */
export async function packed(folder: Folder): Promise<{ readonly file: File; readonly leftOut: readonly string[] }> {
  const held = new Map<string, Uint8Array>()
  let [looked, others, bytes, isCut] = [0, 0, 0, false]
  for await (const { path, file } of folder.files()) {
    isCut = ++looked > FOLDER_MOST.looked || held.size === FOLDER_MOST.files
    if (isCut) break
    if (!file || !isReadByImport(path)) {
      others++
      continue
    }
    const content = await file()
    bytes += content.size
    isCut = bytes > FOLDER_MOST.bytes
    if (isCut) break
    held.set(path, new Uint8Array(await content.arrayBuffer()))
  }
  const { zipSync } = await import('fflate')
  const archive = zipSync(Object.fromEntries(held), { level: 6 })
  const file = new File([new Uint8Array(archive)], folder.name, { type: 'application/zip' })
  return { file, leftOut: leftOutOfFolder({ taken: held.size, others, isCut }) }
}
