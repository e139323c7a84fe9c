/** Lines of cells as text, each column as wide as its widest cell; the first column to the left, the others to the right. */
export function table(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map((line) => line.length))
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const pad = (cell: string, i: number) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}
