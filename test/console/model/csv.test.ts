import * as assert from 'uvu/assert'
import { csvLine, FORMATS, fileName } from '../../../clients/console/src/model/auditExport.js'
import { csvLine as spendLine } from '../../../src/lib/csv.js'
import { suite } from '../../support/suite.js'

const test = suite('entries of the log as a file')

const csvCell = (value: string | number) => csvLine([value]).slice(0, -2)

test('what a spreadsheet would run as a formula is a text', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])
    assert.is(csvCell(text).replace(/^"/, '').slice(0, 2), `'${text[0]}`)
  assert.is(csvCell('a=b'), 'a=b')
  assert.is(csvCell(-1), '-1')
})

test('so it is behind what a spreadsheet may take for the end of a cell, as where semicolons stand between them', () => {
  for (const end of [';', '\t', '\n', '\r\n', ';"', ';;'])
    for (const text of ['=1+1', "@cmd|'/c calc'!A0", '+1', '-1']) {
      const line = csvLine(['7', `x${end}${text}`])
      assert.is(line, spendLine(['7', `x${end}${text}`]))
      for (const cell of line.split(/[;\t\r\n]/)) assert.not.match(cell, /^"*[=+\-@]/, JSON.stringify(line))
    }
  assert.is(csvCell('a; b=c'), '"a; b=c"')
  assert.is(csvCell('a;\r\nb'), '"a;\r\nb"')
})

test('a cell with quotes, commas or lines is quoted', () => {
  assert.is(csvLine(['a,b', 'say "hi"', 'x\ny', 'plain', 3]), '"a,b","say ""hi""","x\ny",plain,3\r\n')
  assert.is(csvCell('=a"b'), `"'=a""b"`)
})

const entry = {
  position: 7,
  at: '2026-11-22T10:00:00.000Z',
  type: 'RequestUpdated',
  resource: { kind: 'request', id: 'r1', name: '=cmd()' },
  actor: { id: 'u1', name: 'Mara' },
  token: null,
  address: null,
  requestId: 'q1',
  causation: null,
  changes: [{ path: '/url', from: 'a', to: 'b' }]
}

test('a line of CSV has as many cells as there are columns, and one of NDJSON is the entry', () => {
  const columns = FORMATS.csv.head.split(',').length
  const line = FORMATS.csv.line(entry)
  assert.is(line.match(/("([^"]|"")*"|[^",]*)(,|\r\n)/g)?.length, columns)
  assert.match(line, /,'=cmd\(\),/)
  assert.equal(JSON.parse(FORMATS.ndjson.line(entry)), entry)
})

test('a file is named after when it was made', () => {
  assert.is(fileName('csv', new Date('2026-11-22T10:20:30.400Z')), 'audit-2026-11-22T102030Z.csv')
})

test.run()
