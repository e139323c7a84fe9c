/**
 * What had the focus may be what has just gone, or could not be used for a while: then it, or else the content, has it again, where keys
 * scroll and Tab goes on.
 */
export function keepFocus(before?: Element | null): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return
    if (before instanceof HTMLElement) before.focus()
    if (document.activeElement === document.body) document.getElementById('content')?.focus()
  }, 100)
}
