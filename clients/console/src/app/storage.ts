/** Where the page keeps texts by name. */
interface Store {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  removeItem(key: string): void
  keys(): readonly string[]
}

/** What the browser keeps, or where it keeps nothing for this page what is gone with it. */
function storeOf(open: () => Storage): Store {
  try {
    const storage = open()
    // Where storage is switched off it may be null, whatever its type says.
    storage.getItem('')
    return {
      getItem: (key) => storage.getItem(key),
      setItem: (key, text) => storage.setItem(key, text),
      removeItem: (key) => storage.removeItem(key),
      keys: () => Object.keys(storage)
    }
  } catch {
    const texts = new Map<string, string>()
    return {
      getItem: (key) => texts.get(key) ?? null,
      setItem: (key, text) => void texts.set(key, text),
      removeItem: (key) => void texts.delete(key),
      keys: () => [...texts.keys()]
    }
  }
}

/** What all tabs of the browser share. */
export const ofBrowser = storeOf(() => localStorage)
/** What this tab has for itself. */
export const ofTab = storeOf(() => sessionStorage)
