import { faultAt } from '../../model/faults.js'
import { LABELS } from '../../model/forms.js'
import { Field } from '../../ui/Field.js'
import { TextArea } from '../../ui/TextArea.js'
import { Tick } from '../../ui/Tick.js'
import css from './editing.module.css'
import type { EditorProps } from './editor.js'
import { NameField } from './NameField.js'
import { PairsEditor } from './PairsEditor.js'

type ServerProps = Pick<EditorProps<'liveServer'>, 'form' | 'faults' | 'change'>

/** The form of a live server. Its routes, proxies and the rest are the desktop's, and stay as they are. */
export function LiveServerEditor({ form, faults, change }: EditorProps<'liveServer'>) {
  const { port } = form
  return (
    <>
      <NameField {...{ form, faults, change }} />
      <Line field="root" hint="What it serves, on the machine that runs it." {...{ form, faults, change }} />
      <Line field="host" {...{ form, faults, change }} />
      <Field
        label={LABELS.port}
        hint="Empty for any that is free."
        type="number"
        min={1}
        max={65535}
        value={port ?? ''}
        fault={faultAt(faults, 'port')}
        onInput={({ currentTarget: { valueAsNumber } }) =>
          change({ port: Number.isNaN(valueAsNumber) ? null : valueAsNumber })
        }
      />
      <Line field="openPath" {...{ form, faults, change }} />
      <Flag field="openPathOnStartup" {...{ form, change }} />
      <Flag field="watch" {...{ form, change }} />
      <TextArea
        label={LABELS.runCommand}
        isCode
        rows={2}
        value={form.runCommand}
        fault={faultAt(faults, 'runCommand')}
        onInput={({ currentTarget }) => change({ runCommand: currentTarget.value })}
      />
      <Flag field="runCommandEnabled" {...{ form, change }} />
      <Flag field="restartOnCrash" {...{ form, change }} />
      <PairsEditor
        title={LABELS.runCommandEnv}
        one="variable"
        field="runCommandEnv"
        pairs={form.runCommandEnv}
        faults={faults}
        change={(runCommandEnv) => change({ runCommandEnv })}
      />
      <Line field="urlVariable" hint="Gets the address when the server starts." {...{ form, faults, change }} />
      <p class={css.remark}>
        Headers, routes, proxies and whatever else it has are edited in the desktop, and stay as they are.
      </p>
    </>
  )
}

interface LineProps extends ServerProps {
  readonly field: 'root' | 'host' | 'openPath' | 'urlVariable'
  readonly hint?: string
}

function Line({ field, hint, form, faults, change }: LineProps) {
  return (
    <Field
      label={LABELS[field]}
      {...(hint !== undefined && { hint })}
      value={form[field]}
      spellcheck={false}
      fault={faultAt(faults, field)}
      onInput={({ currentTarget }) => change({ [field]: currentTarget.value })}
    />
  )
}

interface FlagProps extends Pick<ServerProps, 'form' | 'change'> {
  readonly field: 'watch' | 'openPathOnStartup' | 'runCommandEnabled' | 'restartOnCrash'
}

function Flag({ field, form, change }: FlagProps) {
  return (
    <Tick
      type="checkbox"
      label={LABELS[field]}
      checked={form[field]}
      onChange={({ currentTarget }) => change({ [field]: currentTarget.checked })}
    />
  )
}
