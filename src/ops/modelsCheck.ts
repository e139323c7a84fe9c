import type { ModelCalls } from '../llm/callCounts.js'
import type { Check, Finding } from './check.js'

/** What is asked of a running hub about its models. */
export interface ModelPorts {
  /** How many models are on offer; null where none are configured. */
  models(): number | null
  calls(): Iterable<ModelCalls>
}

/** Models answer, as far as they were called: nobody is asked anything. */
export const models: Check<ModelPorts> = {
  name: 'models',
  async run(ports) {
    const offered = ports.models()
    if (offered === null) return [{ state: 'skipped', text: 'No models are configured.' }]
    const calls = [...ports.calls()]
    const failing = calls.flatMap(failingOf)
    const called = calls.reduce((sum, { outcomes }) => sum + outcomes.completed + outcomes.failed, 0)
    const text = `${offered} models are on offer; they were called ${called} times since the start.`
    return failing.length > 0 ? failing : [{ state: 'ok', text }]
  }
}

function failingOf({ model, outcomes: { completed, failed } }: ModelCalls): readonly Finding[] {
  if (failed <= completed) return []
  const text = `${failed} of ${completed + failed} calls have failed since the start.`
  const advice = 'See the log of the hub; `hub doctor` tells whether the provider takes the key.'
  return [{ subject: model, state: 'warning', text, advice }]
}
