import type { Folder, Inside } from './folders.js'

/** Folders of others, and of tools that keep nothing in them that an import reads; these two are no such folders. */
const isClosed = (name: string) =>
  name === 'node_modules' || (name.startsWith('.') && name !== '.resources' && name !== '.harborclient')

// No browser has to know these interfaces by name.
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** What is dropped: files, and folders as they are. It has to be called before anything is waited for. */
export function droppedIn({ items }: DataTransfer): readonly (File | Folder)[] {
  return [...items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    if (entry && isDirectory(entry)) return { name: entry.name, files: () => filesIn(entry, `${entry.name}/`) }
    return item.getAsFile() ?? []
  })
}

async function* filesIn(directory: FileSystemDirectoryEntry, path: string): AsyncGenerator<Inside, void> {
  const reader = directory.createReader()
  // Entries come in lots, and an empty one is the last.
  for (;;) {
    const lot = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (lot.length === 0) return
    for (const entry of lot) {
      if (isFile(entry))
        yield {
          path: `${path}${entry.name}`,
          file: () => new Promise((resolve, reject) => entry.file(resolve, reject))
        }
      else if (!isDirectory(entry) || isClosed(entry.name)) yield { path: `${path}${entry.name}`, file: null }
      else yield* filesIn(entry, `${path}${entry.name}/`)
    }
  }
}
