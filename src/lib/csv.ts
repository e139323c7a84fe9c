/**
 * Before what a spreadsheet would take for a formula, and run: at the beginning of a cell, and behind what some take for its end, as
 * where a semicolon stands between cells.
 */
const FORMULA = /^(?=[\t\r])|(^|[;\t\r\n])(?="*[=+\-@])/g

/** A line of a CSV file (RFC 4180) with its end. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = value.replace(FORMULA, "$1'")
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
