import type { Schemas } from '@collections-hub/client'
import { isReference, isSecretName } from '../../model/secrets.js'
import { Code } from '../../ui/Code.js'
import { Markdown } from '../../ui/Markdown.js'
import { Method } from '../../ui/Method.js'
import { Pairs } from '../../ui/Pairs.js'
import { Section } from '../../ui/Section.js'
import { AuthView } from './AuthView.js'
import css from './RequestView.module.css'

type SavedRequest = Schemas['SavedRequest']

/** A request as people read it: method and URL first, then whatever is filled in. */
export function RequestView({ request }: { readonly request: SavedRequest }) {
  const { method, url, params, headers, auth, body, bodyType, preRequestScript, postRequestScript, comment } = request
  return (
    <>
      <p class={css.line}>
        <Method method={method} />
        <bdi class={css.url}>{url === '' ? 'No URL yet' : url}</bdi>
      </p>
      {comment !== '' && <Markdown text={comment} />}
      {params.length > 0 && (
        <Section title="Parameters">
          <Pairs label="Parameters" pairs={params} isSecret={isSecretName} />
        </Section>
      )}
      {headers.length > 0 && (
        <Section title="Headers">
          <Pairs label="Headers" pairs={headers} isSecret={isSecretHeader(headers)} />
        </Section>
      )}
      {auth.type !== 'none' && <AuthView auth={auth} />}
      {bodyType !== 'none' && body !== '' && (
        <Section title="Body" aside={bodyType}>
          <Code label="Body" text={body} language={bodyType === 'json' ? 'json' : languageOf(body)} />
        </Section>
      )}
      {preRequestScript !== '' && (
        <Section title="Before the request">
          <Code label="Script before the request" text={preRequestScript} language="javascript" />
        </Section>
      )}
      {postRequestScript !== '' && (
        <Section title="After the response">
          <Code label="Script after the response" text={postRequestScript} language="javascript" />
        </Section>
      )}
    </>
  )
}

/** A header that only names a variable gives nothing away. */
function isSecretHeader(headers: SavedRequest['headers']) {
  return (key: string) =>
    isSecretName(key) && headers.some((header) => header.key === key && !isReference(header.value))
}

const languageOf = (body: string) => (body.trimStart().startsWith('<') ? 'xml' : 'text')
