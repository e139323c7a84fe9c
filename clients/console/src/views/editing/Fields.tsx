import { useEffect, useState } from 'preact/hooks'
import { catalog } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { faultAt } from '../../model/faults.js'
import { labelOf } from '../../model/forms.js'
import type { Kind } from '../../model/records.js'
import { Field, Select } from '../../ui/kit.js'
import { Markdown } from '../../ui/Markdown.js'
import {
  type Control,
  type ControlProps,
  choice,
  code,
  drawn,
  flag,
  line,
  pairs,
  remark,
  scripts,
  section,
  text,
  Variables
} from './controls.js'
import css from './editing.module.css'
import { Address, Auth, Body, Params } from './RequestFields.js'

/** The environment that this one builds on; itself is not offered. */
function BuildsOn({ id: own, form: { parentUuid = null }, faults, change }: ControlProps) {
  const others = knownOf(catalog.environment)?.filter(({ id }) => id !== own) ?? []
  const isHidden = parentUuid !== null && !others.some(({ id }) => id === parentUuid)
  return (
    <Select
      label={labelOf('parentUuid')}
      hint="Variables that are not here come from there."
      value={parentUuid ?? ''}
      options={[
        { value: '', label: 'Nothing' },
        ...(isHidden ? [{ value: parentUuid, label: 'One that you may not see' }] : []),
        ...others.map(({ id, name }) => ({ value: id, label: name }))
      ]}
      fault={faultAt(faults, 'parentUuid')}
      change={(chosen) => change({ parentUuid: chosen === '' ? null : chosen })}
    />
  )
}

const RENDERING_MS = 150
const DocumentText = code('content', 'markdown', 'Text, in Markdown')

/** The text of a document, and beside it what becomes of that. */
function Content(props: ControlProps) {
  const { content = '' } = props.form
  const [rendered, setRendered] = useState(content)
  useEffect(() => {
    const timer = setTimeout(() => setRendered(content), RENDERING_MS)
    return () => clearTimeout(timer)
  }, [content])
  return (
    <div class={`${css.both} stack gap-12`}>
      <DocumentText {...props} />
      <section class="stack fit gap-4" aria-label="Preview">
        <h2>Preview</h2>
        <Markdown text={rendered} />
      </section>
    </div>
  )
}

function Port({ form: { port }, faults, change }: ControlProps) {
  return (
    <Field
      label={labelOf('port')}
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
  )
}

const Name = line('name')

/** What is filled in of each kind, in the order in which it is shown. */
const FORMS: Readonly<Record<Kind, readonly Control[]>> = {
  collection: [
    ...[Name, Variables, pairs('headers', 'header', 'Headers of every request'), Auth],
    scripts('Before every request', 'After every response')
  ],
  folder: [Name],
  request: [
    ...[Name, Address, Params, pairs('headers', 'header'), Auth, Body],
    scripts('Before the request', 'After the response'),
    section('Comment', text('comment', { label: 'What others should know of it, in Markdown' }))
  ],
  document: [Name, Content],
  environment: [Name, BuildsOn, Variables],
  snippet: [
    Name,
    choice('scope', [
      { value: 'any', label: 'Before or after a request' },
      { value: 'pre-request', label: 'Before a request' },
      { value: 'post-request', label: 'After a response' }
    ]),
    code('code', 'javascript')
  ],
  liveServer: [
    ...[Name, line('root', { hint: 'What it serves, on the machine that runs it.' }), line('host'), Port],
    ...[line('openPath'), flag('openPathOnStartup'), flag('watch')],
    ...[text('runCommand', { rows: 2 }), flag('runCommandEnabled'), flag('restartOnCrash')],
    pairs('runCommandEnv', 'variable'),
    line('urlVariable', { hint: 'Gets the address when the server starts.' }),
    remark('Headers, routes, proxies and whatever else it has are edited in the desktop, and stay as they are.')
  ],
  livePage: [
    ...[Name, line('url'), line('homeUrl'), line('userAgent', { hint: 'Empty for that of the browser.' })],
    remark('Scripts, headers, variables and authorization are edited in the desktop, and stay as they are.')
  ]
}

/** The fields of a record of any kind. */
export const Fields = ({ kind, ...props }: ControlProps & { readonly kind: Kind }) => <>{drawn(FORMS[kind], props)}</>
