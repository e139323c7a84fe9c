/** What there is to know of a folder in order to tell what lies below or above it. */
export interface Branch {
  readonly id: string
  readonly container: string
}

/** The ids of all folders inside a folder, each before those inside it. However deep they nest, the stack does not grow. */
export function descendants(id: string, folders: readonly Branch[]): readonly string[] {
  const children = new Map<string, string[]>()
  for (const folder of folders) {
    const known = children.get(folder.container)
    if (known) known.push(folder.id)
    else children.set(folder.container, [folder.id])
  }
  const found: string[] = []
  for (const above of withAll(id, found)) found.push(...(children.get(above) ?? []))
  return found
}

/** Goes through `first` and then through a list that grows meanwhile. */
function* withAll(first: string, list: readonly string[]): Generator<string> {
  yield first
  yield* list
}

/** The ids of the folders that a folder lies in, from the inside out. */
export function ancestors(id: string, byId: ReadonlyMap<string, Branch>): readonly string[] {
  const found: string[] = []
  for (let above = parentOf(id, byId); above !== undefined; above = parentOf(above, byId)) found.push(above)
  return found
}

function parentOf(id: string, byId: ReadonlyMap<string, Branch>): string | undefined {
  return byId.get(byId.get(id)?.container ?? '')?.id
}
