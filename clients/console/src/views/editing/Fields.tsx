import type { VNode } from 'preact'
import type { Editing } from '../../app/editing.js'
import type { Fault } from '../../model/faults.js'
import type { Form } from '../../model/forms.js'
import type { Kind } from '../../model/records.js'
import { CollectionEditor } from './CollectionEditor.js'
import { DocumentEditor } from './DocumentEditor.js'
import { EnvironmentEditor } from './EnvironmentEditor.js'
import type { EditorProps } from './editor.js'
import { LivePageEditor } from './LivePageEditor.js'
import { LiveServerEditor } from './LiveServerEditor.js'
import { NameField } from './NameField.js'
import { RequestEditor } from './RequestEditor.js'
import { SnippetEditor } from './SnippetEditor.js'

const EDITORS: { readonly [K in Kind]: (props: EditorProps<K>) => VNode } = {
  collection: CollectionEditor,
  folder: NameField,
  request: RequestEditor,
  document: DocumentEditor,
  environment: EnvironmentEditor,
  snippet: SnippetEditor,
  liveServer: LiveServerEditor,
  livePage: LivePageEditor
}

interface FieldsProps<K extends Kind> {
  readonly kind: K
  readonly id: string
  readonly editing: Editing
  readonly faults: readonly Fault[]
}

/** The fields of a record of any kind. */
export function Fields<K extends Kind>({ kind, id, editing, faults }: FieldsProps<K>) {
  const Editor: (props: EditorProps<K>) => VNode = EDITORS[kind]
  // The editing has the fields of its kind.
  const form = editing.form.value as Form<K>
  return <Editor {...{ id, form, faults }} change={(part) => editing.change(part)} />
}
