import type { Schemas } from '@collections-hub/client'
import { addressOf } from '../../model/live.js'
import { isReference, isSecretName } from '../../model/secrets.js'
import { Code } from '../../ui/Code.js'
import { Fact, Facts } from '../../ui/Facts.js'
import { Pairs } from '../../ui/Pairs.js'
import { Section } from '../../ui/Section.js'
import { ScriptSections } from './ScriptSections.js'

type LiveServer = Schemas['LiveServer']

/** A live server: what it serves and where, then whatever else is filled in. The hub keeps it and runs nothing of it. */
export function LiveServerView({ server }: { readonly server: LiveServer }) {
  const { runCommand, runCommandEnabled, restartOnCrash, runCommandEnv, preRequestScripts, postRequestScripts } = server
  return (
    <>
      <Section title="Serves">
        <Serves server={server} />
      </Section>
      {runCommand !== '' && (
        <Section title="Command" aside={commandWords(runCommandEnabled, restartOnCrash)}>
          <Code label="Command" text={runCommand} language="text" />
        </Section>
      )}
      {runCommandEnv.length > 0 && (
        <Section title="Environment of the command">
          <Pairs label="Environment of the command" pairs={runCommandEnv} isSecret={isSecretOf(runCommandEnv)} />
        </Section>
      )}
      {listsOf(server).map(({ title, pairs }) => (
        <Section key={title} title={title}>
          <Pairs label={title} pairs={pairs} isSecret={isSecretOf(pairs)} />
        </Section>
      ))}
      <ScriptSections scripts={preRequestScripts} title="Before requests" />
      <ScriptSections scripts={postRequestScripts} title="After responses" />
    </>
  )
}

function Serves({ server }: { readonly server: LiveServer }) {
  const { root, openPath, openPathOnStartup, indexFiles, watch, urlVariable } = server
  return (
    <Facts>
      <Fact name="Folder">{root === '' ? 'None yet' : <bdi>{root}</bdi>}</Fact>
      <Fact name="Address">
        <bdi>{addressOf(server)}</bdi>
      </Fact>
      {openPath !== '' && (
        <Fact name="Opens at">
          <bdi>{openPath}</bdi>
          {openPathOnStartup && ', when it starts'}
        </Fact>
      )}
      {indexFiles.length > 0 && (
        <Fact name="Index">
          <bdi>{indexFiles.join(', ')}</bdi>
        </Fact>
      )}
      <Fact name="When files change">{watch ? 'Loads anew' : 'Stays as it is'}</Fact>
      {urlVariable !== '' && (
        <Fact name="Address goes to">
          <bdi>{urlVariable}</bdi>
        </Fact>
      )}
    </Facts>
  )
}

const commandWords = (isOn: boolean, isRestarted: boolean): string =>
  isOn ? (isRestarted ? 'starts again where it ends' : '') : 'off'

interface Pair {
  readonly key: string
  readonly value: string
  readonly enabled?: boolean | undefined
}

/** What a server has of lists and settings, each as names and values; what is empty or off is left out. */
function listsOf({ headers, aliases, routes, proxies, errorPages, cors, ssl }: LiveServer) {
  const from = (key: string, value: string, enabled?: boolean): Pair => ({ key, value, enabled })
  const settings = Object.entries(cors).filter(([name, value]) => name !== 'enabled' && value !== '' && value !== false)
  const lists: readonly { readonly title: string; readonly pairs: readonly Pair[] }[] = [
    { title: 'Headers', pairs: headers.map(({ name, value, enabled }) => from(name, value, enabled)) },
    { title: 'Aliases', pairs: aliases.map(({ path, target }) => from(path, target)) },
    { title: 'Routes', pairs: routes.map(({ match, target, enabled }) => from(match, target, enabled)) },
    {
      title: 'Proxies',
      pairs: proxies.map(({ path, target, stripPath, enabled }) =>
        from(path, stripPath ? `${target} (without the path)` : target, enabled)
      )
    },
    { title: 'Error pages', pairs: errorPages.map(({ code, path, enabled }) => from(String(code), path, enabled)) },
    {
      title: 'CORS',
      pairs: cors.enabled ? settings.map(([name, value]) => from(CORS[name] ?? name, corsText(value))) : []
    },
    {
      title: 'TLS',
      pairs: ssl.enabled ? [from('Certificate', ssl.certPath), from('File of the key', ssl.keyPath)] : []
    }
  ]
  return lists.filter(({ pairs }) => pairs.length > 0)
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

const isSecretOf = (pairs: readonly Pair[]) => (name: string) =>
  isSecretName(name) && pairs.some(({ key, value }) => key === name && !isReference(value))
