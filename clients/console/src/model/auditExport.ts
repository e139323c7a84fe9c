import type { AuditEntry } from './auditEntry.js'
import { operatorText, textOf } from './auditSentences.js'

/**
 * Before what a spreadsheet would take for a formula, and run: at the beginning of a cell, and behind what some take for its end, as
 * where a semicolon stands between cells.
 */
const FORMULA = /^(?=[\t\r])|(^|[;\t\r\n])(?="*[=+\-@])/g

/** A cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it. */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = value.replace(FORMULA, "$1'")
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a CSV file, with its end. */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** What a CSV file begins with: by it spreadsheets know that it is UTF-8. */
export const CSV_MARK = '\u{feff}'

const COLUMNS: readonly (readonly [name: string, value: (entry: AuditEntry) => string | number | null | undefined])[] =
  [
    ['position', ({ position }) => position],
    ['at', ({ at }) => at],
    ['what', textOf],
    ['type', ({ type }) => type],
    ['kind', ({ resource }) => resource.kind],
    ['id', ({ resource }) => resource.id],
    ['name', ({ resource }) => resource.name],
    ['actorId', ({ actor }) => actor.id],
    ['actorName', ({ actor }) => actor.name],
    ['tokenId', ({ token }) => token?.id],
    ['tokenName', ({ token }) => token?.name],
    ['address', ({ address }) => address],
    ['operator', ({ operator }) => operator && operatorText(operator)],
    ['requestId', ({ requestId }) => requestId],
    ['causation', ({ causation }) => causation],
    ['erased', ({ erased }) => (erased ? 'yes' : '')],
    ['changes', ({ changes }) => JSON.stringify(changes)]
  ]

/** How entries become a file of a format: `head` stands before the first of them. */
export const FORMATS = {
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    line: (entry: AuditEntry) => `${JSON.stringify(entry)}\n`
  },
  csv: {
    type: 'text/csv;charset=utf-8',
    head: `${CSV_MARK}${csvLine(COLUMNS.map(([name]) => name))}`,
    line: (entry: AuditEntry) => csvLine(COLUMNS.map(([, value]) => value(entry) ?? ''))
  }
}
export type ExportFormat = keyof typeof FORMATS

/** What a file is called that holds entries of this moment. */
export const fileName = (format: ExportFormat, now: Date): string =>
  `audit-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.${format}`
