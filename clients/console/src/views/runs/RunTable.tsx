import { go, linkWith, route } from '../../app/route.js'
import { counted } from '../../model/numbers.js'
import { isFailed, type RunRow } from '../../model/runRows.js'
import { Badge, Check, type Column, Method, Name, RowTable, Section } from '../../ui/kit.js'

/** The requests of a run as they ran; the address keeps whether only those that failed are shown. */
export function RunTable({ rows }: { readonly rows: readonly RunRow[] }) {
  const failed = rows.filter(isFailed)
  const isNarrow = failed.length > 0 && route.value.query.get('only') === 'failed'
  const toggle = () => go(linkWith({ only: isNarrow ? null : 'failed' }), { replace: true })
  return (
    <Section title="Requests" aside={counted(rows.length, 'request')}>
      {failed.length > 0 && <Check label="Only failures" isOn={isNarrow} turn={toggle} />}
      <RowTable
        label="Requests"
        columns={COLUMNS}
        rows={isNarrow ? failed : rows}
        keyOf={({ nth }: RunRow) => String(nth)}
      />
    </Section>
  )
}

const TONES: Readonly<Record<string, 'good' | 'bad'>> = { passed: 'good', failed: 'bad' }

const COLUMNS: readonly Column<RunRow>[] = [
  { title: 'Request', width: 'minmax(9rem, 5fr)', isPlain: true, cell: (row) => <Asked row={row} /> },
  {
    title: 'Outcome',
    width: 'minmax(6rem, 3fr)',
    isPlain: true,
    cell: (row) => <Outcome row={row} />
  },
  { title: 'Answer', width: 'minmax(5rem, 2fr)', cell: ({ answer }) => answer && <Name of={answer} /> },
  { title: 'Time', width: 'minmax(4rem, 1fr)', cell: ({ took }) => took },
  { title: 'Tests', width: 'minmax(6rem, 2fr)', cell: ({ tests }) => tests && testsInWords(tests) }
]

function Asked({ row: { nth, name, method, url } }: { readonly row: RunRow }) {
  return (
    <div class="row fit gap-4">
      {method !== null && <Method method={method} isShort />}
      <span class="fit grow">
        <Name class="block" of={name ?? `Request ${nth}`} />
        {url !== null && <bdi class="block hint">{url}</bdi>}
      </span>
    </div>
  )
}

function Outcome({ row }: { readonly row: RunRow }) {
  const { outcome, error } = row
  const word = outcome ?? (isFailed(row) ? 'failed' : null)
  return (
    <>
      {word !== null && <Badge tone={TONES[word] ?? 'plain'}>{word}</Badge>}
      {error !== null && <Name class="block hint" of={error} />}
    </>
  )
}

const testsInWords = ({ passed, failed }: NonNullable<RunRow['tests']>): string =>
  [passed > 0 ? `${passed} passed` : '', failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ') || 'none'
