/** Whether a key is one that is typed into something, also within an editor. */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath()
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
