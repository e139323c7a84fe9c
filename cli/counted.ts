/** A number of things in words: `1 token`, `2 tokens`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
