import type { Schemas } from '@collections-hub/client'
import { formRowsOf } from '../../model/faults.js'
import { CodeSection, PairSection } from '../../ui/kit.js'
import { Markdown } from '../../ui/Markdown.js'
import { Address, AuthView } from './RecordView.js'

/** A request as people read it: method and URL first, then whatever is filled in. */
export function RequestView({ request }: { readonly request: Schemas['SavedRequest'] }) {
  const { method, url, params, headers, auth, preRequestScript, postRequestScript, comment } = request
  return (
    <>
      <Address url={url} method={method} />
      {comment !== '' && <Markdown text={comment} />}
      <PairSection title="Parameters" pairs={params} />
      <PairSection title="Headers" pairs={headers} />
      <AuthView auth={auth} />
      <BodyView {...request} />
      <CodeSection title="Before the request" text={preRequestScript} language="javascript" />
      <CodeSection title="After the response" text={postRequestScript} language="javascript" />
    </>
  )
}

/** What a request sends: the fields of a form, or a text. */
function BodyView({ body, bodyType }: Pick<Schemas['SavedRequest'], 'body' | 'bodyType'>) {
  if (bodyType === 'none') return null
  const rows = bodyType === 'urlencoded' || bodyType === 'multipart' ? formRowsOf(body) : null
  if (rows) {
    const pairs = rows.map(({ key, value, enabled, type }) => ({
      ...{ key, value: type === 'file' ? `File: ${value === '' ? 'chosen when it is sent' : value}` : value, enabled }
    }))
    return <PairSection title="Body" aside={bodyType} pairs={pairs} />
  }
  const language = bodyType === 'json' ? 'json' : body.trimStart().startsWith('<') ? 'xml' : 'text'
  return <CodeSection title="Body" aside={bodyType} text={body} language={language} isFilledIn />
}
