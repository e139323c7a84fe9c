/** A folder that is being read, with the folders in it by their names. */
interface Folder<F> {
  readonly folders: Map<string, F>
}

/** The folder at a path below another one; it and those on the way are made where they are not there. */
export function folderAt<F extends Folder<F>>(top: F, path: readonly string[], make: () => F): F {
  return path.reduce((folder, name) => {
    const inner = folder.folders.get(name) ?? make()
    folder.folders.set(name, inner)
    return inner
  }, top)
}
