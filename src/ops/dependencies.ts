import { accountOf } from '../../queries/callers.js'
import { grantWarnings, listUsers } from '../../queries/users.js'
import type { LlmProviderName } from '../config/types.js'
import { modelWarnings, offeredIds } from '../llm/catalog.js'
import { type Check, detailOf, type Finding, failed, finding, ok, skipped, warning } from './check.js'
import type { DoctorPorts, TlsTarget } from './doctorPorts.js'
import { signIns } from './signIns.js'

const DAY_MS = 86_400_000
/** Certificates are usually renewed a month before they expire. */
const EXPIRY_NEAR_MS = 21 * DAY_MS
const EXPIRY_CLOSE_MS = 3 * DAY_MS

/** Each provider takes the key that is configured for it. */
const providers: Check<DoctorPorts> = {
  name: 'providers',
  async run({ config, askProvider }) {
    const { providers: configured = {}, endpoints = [] } = config().llm ?? {}
    const own = PROVIDERS.flatMap((name) => {
      const provider = configured[name]
      return provider ? [{ name, wire: name, provider, place: `llm.providers.${name}.apiKey` }] : []
    })
    const others = endpoints.flatMap(({ id, interface: wire, baseUrl, apiKeys, timeoutSeconds, maxRetries }) =>
      (apiKeys.length > 0 ? apiKeys : ['none']).map((apiKey) => {
        const provider = { apiKey, baseUrl, timeoutSeconds, maxRetries }
        const place = `the keys of ${id} in llm.endpoints`
        return { name: id, wire: wire === 'anthropic' ? ('claude' as const) : ('openai' as const), provider, place }
      })
    )
    const asked = [...own, ...others].map(({ name, wire, provider, place }) =>
      reached(name, PROVIDER_GONE, async () => providerFinding(name, await askProvider(wire, provider), place))
    )
    return asked.length === 0 ? skipped('No models are configured.') : Promise.all(asked)
  }
}

const PROVIDERS: readonly LlmProviderName[] = ['openai', 'claude', 'gemini']
const PROVIDER_GONE = 'See that this machine may reach it, and that baseUrl is right.'

function providerFinding(subject: string, status: number, place: string): Finding {
  const told = { subject }
  if (status >= 200 && status < 300) return finding('ok', 'It takes the key.', undefined, told)
  // Gemini answers 400 to a wrong key.
  if (status === 401 || status === 403 || (status === 400 && subject === 'gemini'))
    return failed(`It refuses the key (status ${status}).`, `Put a valid key into ${place}.`, told)
  if (status === 404 || status === 405)
    return warning(
      `It has no list of models (status ${status}), so the key was not tried.`,
      'See that baseUrl is right; a proxy may have none.',
      told
    )
  return warning(`It answers with status ${status}.`, 'Try again later; it may have trouble, or limit this key.', told)
}

/** What is configured and granted of models is on offer. */
const offer: Check<DoctorPorts> = {
  name: 'models',
  isAboutContents: true,
  async run({ config, storage }) {
    const found = config()
    const offered = offeredIds(found)
    if (!offered) return skipped('No models are configured.')
    const { rows, head } = await storage()
    const accounts = (await listUsers(rows((await head()).generation))).map(accountOf)
    const configured = modelWarnings(found).map((text) => warning(text, 'Name others in llm.models.'))
    const granted = grantWarnings(accounts, offered).map((text) =>
      warning(text, 'Grant others with `hub user update`.')
    )
    const findings = [...configured, ...granted]
    return findings.length > 0 ? findings : ok(`What is granted is among the ${offered.size} models on offer.`)
  }
}

/** Each tool server can be reached and offers tools. */
const toolServers: Check<DoctorPorts> = {
  name: 'tool servers',
  async run({ config, askToolServer }) {
    const servers = config().llm?.mcp ?? []
    if (servers.length === 0) return skipped('No tool servers are configured.')
    const advice = 'See that it runs, and that url and headers of its entry in llm.mcp are right.'
    return Promise.all(
      servers.map((server) =>
        reached(server.name, advice, async () => {
          const count = await askToolServer(server)
          const told = { subject: server.name }
          if (count > 0) return finding('ok', `It offers ${count} tools.`, undefined, told)
          return warning('It offers no tools.', 'Remove it from llm.mcp, or see why it has none.', told)
        })
      )
    )
  }
}

/** The documentation index that is configured is there and can be read. */
const docsIndex: Check<DoctorPorts> = {
  name: 'docs index',
  async run({ config, readDocsIndex }) {
    const { docs, llm } = config()
    const path = docs.searchIndexPath
    if (path === undefined) return skipped('No index is configured.')
    try {
      const count = await readDocsIndex(path)
      if (llm?.providers.openai) return ok(`The index holds ${count} chunks.`)
      const advice = 'Set llm.providers.openai.apiKey, or remove docs.searchIndexPath.'
      return [warning('There is an index, and no provider that can search it.', advice)]
    } catch (error) {
      const advice = `Write the index to ${path} again, or correct docs.searchIndexPath.`
      return [failed('The index is not there, or cannot be read.', advice, { detail: detailOf(error) })]
    }
  }
}

/** No certificate expires soon. */
const tls: Check<DoctorPorts> = {
  name: 'tls',
  async run({ config, tlsTargets, certificateExpiry, now }) {
    config()
    const targets = tlsTargets()
    if (targets.length === 0) return skipped('No server is reached by TLS.')
    return Promise.all(
      targets.map((target) =>
        reached(target.what, `See that ${target.host}:${target.port} answers and speaks TLS.`, async () =>
          expiryFinding(target, (await certificateExpiry(target)) - now())
        )
      )
    )
  }
}

function expiryFinding({ what: subject, host, port }: TlsTarget, left_ms: number): Finding {
  const left = days(Math.floor(left_ms / DAY_MS))
  const advice = `Renew the certificate of ${host}:${port}.`
  if (left_ms <= 0) return failed('The certificate has expired.', advice, { subject })
  if (left_ms >= EXPIRY_NEAR_MS) return finding('ok', `The certificate is valid for ${left}.`, undefined, { subject })
  const state = left_ms < EXPIRY_CLOSE_MS ? 'failed' : 'warning'
  return finding(state, `The certificate expires in ${left}.`, advice, { subject })
}

/** What was found of a server, or that it could not be reached. */
async function reached(subject: string, advice: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return failed('It cannot be reached.', advice, { subject, detail: detailOf(error) })
  }
}

/** What a hub leans on besides its database and its throttle store. */
export const DEPENDENCY_CHECKS: readonly Check<DoctorPorts>[] = [providers, offer, toolServers, docsIndex, signIns, tls]

function days(count: number): string {
  if (count === 0) return 'less than a day'
  return count === 1 ? '1 day' : `${count} days`
}
