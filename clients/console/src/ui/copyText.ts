/** Puts a text on the clipboard; false where the browser does not let it, as on pages that came over plain HTTP. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
