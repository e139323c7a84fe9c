import * as assert from 'uvu/assert'
import { progressLine } from '../../cli/lib/progress.js'
import { suite } from '../support/suite.js'
import { collector } from './support.js'

const test = suite('how far a long command is')

test('takes one line of the terminal, however narrow that is', () => {
  for (const columns of [20, 60, 200]) {
    const { stream, text } = collector()
    progressLine(Object.assign(stream, { isTTY: true, columns }), 'Rebuilding', 1_000_000).at(123_456)
    const [, line = ''] = text().split('\u001b[K')
    assert.match(line, /^Rebuilding \[##/)
    assert.ok(line.length < columns, `${line.length} of ${columns}`)
  }
})

test.run()
