import type { Schemas } from '@collections-hub/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { nameIn } from '../../app/catalog.js'
import { type Loaded, mayEdit } from '../../app/records.js'
import { linkTo } from '../../app/route.js'
import { addressOf, authIn, pairsIn, scriptsIn } from '../../model/live.js'
import { counted } from '../../model/numbers.js'
import { urlMasked } from '../../model/urlSecrets.js'
import { Button, CodeSection, Fact, Facts, Method, type Pair, PairSection, Pairs, Section } from '../../ui/kit.js'
import { Markdown } from '../../ui/Markdown.js'
import { Referring } from '../../ui/Referring.js'
import { Activity } from './Activity.js'
import { FolderView } from './FolderView.js'
import { Readme } from './Readme.js'
import { RequestView } from './RequestView.js'
import css from './record.module.css'

/** What a record holds, as people read it. Parts with nothing in them do not show. */
export function RecordView({ loaded }: { readonly loaded: Loaded }) {
  switch (loaded.kind) {
    case 'request':
      return <RequestView request={loaded.content} />
    case 'document':
      return <Markdown text={loaded.content.content} />
    case 'folder':
      return <FolderView collectionId={loaded.content.collectionId} folderId={loaded.content.id} />
    case 'collection':
      return <CollectionView collection={loaded.content} />
    case 'environment':
      return <EnvironmentView environment={loaded.content} />
    case 'snippet': {
      const { scope, code } = loaded.content
      const title = `Script, ${scope === 'any' ? 'before or after a request' : scope}`
      return <CodeSection title={title} label="Text" text={code} language="javascript" isAlways />
    }
    case 'liveServer':
      return <LiveServerView server={loaded.content} />
    case 'livePage':
      return <LivePageView page={loaded.content} />
  }
}

/** A longer one may have to be scrolled, by keyboard too. */
const SHORT_URL = 400

/** What something asks for; what is secret in it is masked until somebody asks to see it. */
export function Address({ url, method }: { readonly url: string; readonly method?: string }) {
  // Of another record nobody has asked to see it.
  const [shown, setShown] = useState<string | null>(null)
  const masked = urlMasked(url)
  const isShown = shown === url
  return (
    <p class={`${css.line} flex wrap sunken gap-line`}>
      {method !== undefined && <Method method={method} />}
      <span
        class={`${css.url} fit`}
        {...(url.length > SHORT_URL && { tabIndex: 0, role: 'region', 'aria-label': 'URL' })}
      >
        {url === '' ? 'No URL yet' : <Referring text={isShown ? url : masked} isUrl={method !== undefined} />}
      </span>
      {masked !== url && (
        <Button kind="quiet" onClick={() => setShown(isShown ? null : url)}>
          {isShown ? 'Mask' : 'Show'}
        </Button>
      )}
    </p>
  )
}

interface CollectionViewProps {
  readonly collection: Schemas['Collection']
  /** What it holds; what it holds now where nothing is given. */
  readonly contents?: ComponentChildren
}

/** A collection: what it holds, then what all its requests share. */
export function CollectionView({ collection, contents }: CollectionViewProps) {
  const { id, variables, headers, auth, preRequestScript, postRequestScript } = collection
  return (
    <>
      {!contents && <Readme collectionId={id} />}
      <Section title="Contents">{contents ?? <FolderView collectionId={id} folderId={null} />}</Section>
      <PairSection title="Variables" pairs={variables.map(inForce)} />
      <PairSection title="Headers of every request" pairs={headers} />
      <AuthView auth={auth} />
      <CodeSection title="Before every request" text={preRequestScript} language="javascript" />
      <CodeSection title="After every response" text={postRequestScript} language="javascript" />
      {!contents && mayEdit() && <Activity collectionId={id} />}
    </>
  )
}

/** A variable with the value that holds: its own, or else the default. */
const inForce = ({ key, value, defaultValue, share, enabled }: Schemas['Variable']): Pair => ({
  key,
  value: value === '' ? defaultValue : value,
  enabled,
  ...(!share && { isSecret: true })
})

/** An environment: its variables, and the one that it builds on. */
export function EnvironmentView({ environment }: { readonly environment: Schemas['Environment'] }) {
  const { variables, parentUuid } = environment
  const parent = nameIn('environment', parentUuid)
  return (
    <>
      {parentUuid !== null && parent !== undefined && (
        <p>
          Builds on <a href={linkTo(['environments', parentUuid])}>{parent}</a>.
        </p>
      )}
      <Section title="Variables">
        {variables.length === 0 ? (
          <p>It has no variables yet.</p>
        ) : (
          <Pairs label="Variables" pairs={variables.map(inForce)} />
        )}
      </Section>
    </>
  )
}

/** How a request, or all of a collection, says who asks. */
export function AuthView({ auth }: { readonly auth: Schemas['Auth'] }) {
  return auth.type === 'none' ? null : <PairSection title="Authorization" aside={auth.type} pairs={authPairs(auth)} />
}

export const authPairs = ({ type, basic, bearer }: Schemas['Auth']): readonly Pair[] => [
  ...(type === 'basic'
    ? [
        { key: 'User', value: basic.username },
        { key: 'Password', value: basic.password }
      ]
    : []),
  ...(type === 'bearer' ? [{ key: 'Token', value: bearer.token }] : [])
]

/** A fact that is only told where there is something to tell. */
function Told({ name, text, more }: { readonly name: string; readonly text: string; readonly more?: string | false }) {
  return text === '' ? null : (
    <Fact name={name}>
      <bdi>{text}</bdi>
      {more}
    </Fact>
  )
}

/** A live server: what it serves and where, then whatever else is filled in. The hub keeps it and runs nothing of it. */
function LiveServerView({ server }: { readonly server: Schemas['LiveServer'] }) {
  const { root, openPath, openPathOnStartup, indexFiles, watch, urlVariable } = server
  const { runCommand, runCommandEnabled, restartOnCrash, runCommandEnv, preRequestScripts, postRequestScripts } = server
  const command = runCommandEnabled ? (restartOnCrash ? 'starts again where it ends' : '') : 'off'
  return (
    <>
      <Section title="Serves">
        <Facts>
          <Fact name="Folder">{root === '' ? 'None yet' : <bdi>{root}</bdi>}</Fact>
          <Told name="Address" text={addressOf(server)} />
          <Told name="Opens at" text={urlMasked(openPath)} more={openPathOnStartup && ', when it starts'} />
          <Told name="Index" text={indexFiles.join(', ')} />
          <Fact name="When files change">{watch ? 'Loads anew' : 'Stays as it is'}</Fact>
          <Told name="Address goes to" text={urlVariable} />
        </Facts>
      </Section>
      <CodeSection title="Command" aside={command} text={runCommand} language="text" />
      <PairSection title="Environment of the command" pairs={runCommandEnv} />
      {listsOf(server).map(([title, pairs]) => (
        <PairSection key={title} title={title} pairs={pairs} />
      ))}
      <ScriptSections scripts={preRequestScripts} title="Before requests" />
      <ScriptSections scripts={postRequestScripts} title="After responses" />
    </>
  )
}

/** What a server has of lists and settings, each as names and values; what is off is left out. */
function listsOf({ headers, aliases, routes, proxies, errorPages, cors, ssl }: Schemas['LiveServer']) {
  const from = (key: string, value: string, enabled?: boolean): Pair => ({ key, value, enabled })
  const settings = Object.entries(cors).filter(([name, value]) => name !== 'enabled' && value !== '' && value !== false)
  const lists: readonly (readonly [title: string, pairs: readonly Pair[]])[] = [
    ['Headers', headers.map(({ name, value, enabled }) => from(name, value, enabled))],
    ['Aliases', aliases.map(({ path, target }) => from(path, target))],
    ['Routes', routes.map(({ match, target, enabled }) => from(match, target, enabled))],
    [
      'Proxies',
      proxies.map(({ path, target, stripPath, enabled }) =>
        from(path, stripPath ? `${target} (without the path)` : target, enabled)
      )
    ],
    ['Error pages', errorPages.map(({ code, path, enabled }) => from(String(code), path, enabled))],
    ['CORS', cors.enabled ? settings.map(([name, value]) => from(CORS[name] ?? name, corsText(value))) : []],
    ['TLS', ssl.enabled ? [from('Certificate', ssl.certPath), from('File of the key', ssl.keyPath)] : []]
  ]
  return lists
}

const CORS: Readonly<Record<string, string>> = {
  origin: 'Origin',
  methods: 'Methods',
  allowedHeaders: 'Allowed headers',
  exposedHeaders: 'Exposed headers',
  maxAge: 'Kept for, in seconds',
  credentials: 'With credentials'
}
const corsText = (value: string | boolean): string => (typeof value === 'string' ? value : 'yes')

/** A live page: its address first, then whatever is filled in. */
function LivePageView({ page }: { readonly page: Schemas['LivePage'] }) {
  const { url, homeUrl, userAgent, headers, auth, variables, scripts, preRequestScripts, postRequestScripts } = page
  const signIn = authIn(auth)
  const home = homeUrl === url ? '' : homeUrl
  return (
    <>
      <Address url={url} />
      {home + userAgent !== '' && (
        <Facts>
          <Told name="Home page" text={urlMasked(home)} />
          <Told name="User agent" text={userAgent} />
        </Facts>
      )}
      <PairSection title="Headers" pairs={pairsIn(headers)} />
      {signIn && <PairSection title="Authorization" aside={signIn.type} pairs={signIn.pairs} />}
      <PairSection title="Variables" pairs={pairsIn(variables)} />
      <ScriptSections scripts={scripts} title="Script" />
      <ScriptSections scripts={preRequestScripts} title="Before requests" />
      <ScriptSections scripts={postRequestScripts} title="After responses" />
    </>
  )
}

interface ScriptsProps {
  /** As clients keep them. */
  readonly scripts: readonly unknown[]
  /** What they are for, or when they run. */
  readonly title: string
}

/** So many stand there at a time. */
const AT_ONCE = 30

/** Scripts below each other; nothing where there are none. */
function ScriptSections({ scripts, title }: ScriptsProps) {
  const [shown, setShown] = useState(AT_ONCE)
  const left = scripts.length - shown
  return (
    <>
      {scriptsIn(scripts.slice(0, shown)).map(({ name, when, isOn, source }, index) => (
        <CodeSection
          key={index}
          title={`${title}: ${name}`}
          aside={[when, isOn ? '' : 'off'].filter(Boolean).join(', ')}
          label={name}
          text={source}
          language="javascript"
          isAlways
        />
      ))}
      {left > 0 && (
        <div>
          <Button onClick={() => setShown(shown + AT_ONCE)}>{counted(left, 'more script')}</Button>
        </div>
      )}
    </>
  )
}
