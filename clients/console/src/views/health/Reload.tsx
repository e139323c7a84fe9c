import { HubRequestError } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { failureOf } from '../../app/hub.js'
import { hub } from '../../app/session.js'
import { type ReloadedSection, sectionsIn } from '../../model/health.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import { Section } from '../../ui/Section.js'
import css from './Reload.module.css'

const WORDS: Readonly<Record<string, string>> = {
  reloaded: 'is in force',
  unchanged: 'is as it was',
  failed: 'could not be used; what was there before goes on',
  'restart-required': 'has changed; a restart puts it in force'
}

interface Report {
  readonly sections: readonly ReloadedSection[]
  /** Why nothing of the file could be used. */
  readonly refusal?: string
}

/** Reading the configuration file again, and what came of it. */
export function Reload() {
  const [isBusy, setBusy] = useState(false)
  const [report, setReport] = useState<Report>()
  const reload = async () => {
    setBusy(true)
    try {
      const { body } = await hub().request('POST', '/admin/config/reload')
      setReport({ sections: sectionsIn(body) })
    } catch (error) {
      const sections = error instanceof HubRequestError ? sectionsIn(error.problem) : []
      setReport({ sections, refusal: failureOf(error).message })
    }
    setBusy(false)
  }
  return (
    <Section title="Configuration">
      <div class={css.reload}>
        <p>What has changed in server.yaml counts when it is read again. Some of it needs a restart.</p>
        <Button isBusy={isBusy} onClick={reload}>
          Read it again
        </Button>
      </div>
      <div role="status" class={css.report}>
        {report?.refusal !== undefined && <Notice tone="bad">{report.refusal}</Notice>}
        {report && report.sections.length > 0 && (
          <ul>
            {report.sections.map(({ section, status, error }) => (
              <li key={section} class={status === 'failed' ? css.failed : ''}>
                <code>{section}</code> {WORDS[status] ?? status}
                {error !== undefined && `: ${error}`}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}
