import { useEffect, useState } from 'preact/hooks'
import { importEach, type Outcome } from '../../app/importAll.js'
import type { ImportChoices, Source } from '../../app/importing.js'
import type { ImportReport } from '../../model/importing.js'
import { counted } from '../../model/numbers.js'
import { Button, Dialog, Name } from '../../ui/kit.js'
import css from './files.module.css'

interface ImportAllProps {
  /** What the file is called. */
  readonly name: string
  readonly source: Source
  readonly parts: ImportReport['parts']
  readonly choices: Pick<ImportChoices, 'format' | 'overwrite'>
  readonly another: () => void
  readonly close: () => void
}

const WORDS: Readonly<Record<Outcome['is'], string>> = { imported: 'Imported', left: 'Left', refused: 'Refused' }
const TONES: Readonly<Record<Outcome['is'], string>> = { imported: 'good', left: 'soft', refused: 'bad' }

/** Imports everything that is in a file, and lists what came of each part. Closing it ends it before the next one. */
export function ImportAll({ name, source, parts, choices, another, close }: ImportAllProps) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    const run = async () => {
      for await (const outcome of importEach(source, parts, choices, leaving.signal))
        setOutcomes((before) => [...before, outcome])
    }
    void run()
    return () => leaving.abort()
  }, [])
  const isOver = outcomes.length === parts.length
  const many = (is: Outcome['is']) => outcomes.filter((one) => one.is === is).length
  const told = `${many('imported')} imported, ${many('left')} left, ${many('refused')} refused.`
  return (
    <Dialog
      title={`Import “${name}”`}
      isWide
      close={close}
      actions={
        <>
          {isOver && <Button onClick={another}>Another file</Button>}
          <Button kind="primary" onClick={close}>
            {isOver ? 'Close' : 'Stop'}
          </Button>
        </>
      }
    >
      <p role="status">
        {isOver ? told : `${outcomes.length} of ${counted(parts.length, 'part')} so far. Each is imported by itself.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <ul class={`${css.list} stack scroll gap-2`} tabIndex={0} aria-label="What came of each">
        {outcomes.map(({ part, is, said }) => (
          <li key={part.id} class={`${css.change} stack gap-4`}>
            <span class={TONES[is]}>{WORDS[is]}</span>
            <span>
              <Name of={part.name || part.id} /> <span class="soft">{said}</span>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
