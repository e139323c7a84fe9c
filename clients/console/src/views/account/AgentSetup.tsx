import { useState } from 'preact/hooks'
import { hubUrl } from '../../app/hub.js'
import { AGENTS, type Agent, agentSetup } from '../../model/agentSetup.js'
import { Code, CopyField, Section, Select } from '../../ui/kit.js'

/** How an agent program is told of the hub: an address, and a configuration to copy. The token is filled in by hand. */
export function AgentSetup() {
  const [agent, setAgent] = useState<Agent>('json')
  const address = `${hubUrl}/mcp`
  const setup = agentSetup(agent, address)
  return (
    <Section title="Agents" aside="Programs that speak the Model Context Protocol find and read what you may.">
      <CopyField label="Address" value={address} />
      <Select label="For" value={agent} options={AGENTS} change={setAgent} />
      <Code text={setup} language={agent === 'json' || agent === 'vscode' ? 'json' : 'text'} label="Configuration" />
      <p class="hint">
        Put a token of yours in place of YOUR_TOKEN, best one for each program. With one that an administrator has
        issued so, agents write too.
      </p>
    </Section>
  )
}
