import { useAct } from '../../app/loaded.js'
import { hub } from '../../app/session.js'
import { CSV_MARK } from '../../model/auditExport.js'
import { bytes } from '../../model/numbers.js'
import type { UsageBy } from '../../model/usage.js'
import { Button, Notice, saveFile, toast } from '../../ui/kit.js'

/** The forms in which the hub writes a report, and what a file of each begins with. */
const FORMATS = {
  csv: { label: 'CSV', type: 'text/csv', head: CSV_MARK },
  ndjson: { label: 'NDJSON', type: 'application/x-ndjson', head: '' }
} as const
type Format = keyof typeof FORMATS

/** Saves the table that is shown as a file. */
export function SaveUsage({ month, by }: { readonly month: string; readonly by: UsageBy }) {
  const { isBusy, failure, run } = useAct()
  const save = async (format: Format) => {
    const { head, type } = FORMATS[format]
    const query = { month, by }
    const { bytes: report } = (await hub().download('/admin/llm/usage', { query, accept: type })).body
    const file = new Blob([head, report], { type })
    const name = `usage-${month}-by-${by}.${format}`
    saveFile(file, name)
    toast(`Saved ${name}, ${bytes(file.size)}.`)
  }
  return (
    <>
      <div class="flex wrap gap-4">
        {(['csv', 'ndjson'] as const).map((format) => (
          <Button key={format} icon="export" disabled={isBusy} onClick={() => void run(() => save(format))}>
            Save as {FORMATS[format].label}
          </Button>
        ))}
      </div>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </>
  )
}
