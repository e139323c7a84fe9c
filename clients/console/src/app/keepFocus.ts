/** What had the focus may be what has just gone: then the content has it, where keys scroll and Tab goes on. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus()
  }, 100)
}
