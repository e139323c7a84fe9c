import { succeeded } from '../../../http/world.js'
import type { ConsoleHub } from '../hub.js'
import type { Place } from './story.js'
import type { People, Person } from './team.js'
import type { Timeline } from './timeline.js'

/** Shares a run of many requests that went well, and one of the request that is broken. */
export function shareRuns(timeline: Timeline, { send }: ConsoleHub, { mara, tomas }: People): void {
  const collection = { name: 'Payments' }
  const one = (name: string, i: number) => ({ name, method: 'POST', status: 'passed', durationMs: 84 + 17 * (i % 7) })
  const names = ['Create a charge', 'Get a charge', 'Capture a charge', 'Refund', 'List refunds', 'Balance']
  const results = [...names.map(one), { name: 'Event stream', method: 'GET', status: 'skipped' }]
  const failed = { ...one('Refund', 0), status: 'failed', error: 'Expected 201, got 404' }
  const share = (moment: string, { token }: Person, body: object) =>
    timeline.at(moment, async () => succeeded(await send({ method: 'POST', path: '/run-results', token, body })))
  void share('2026-03-11T13:20', mara, {
    label: 'Before the release',
    payload: { harborclientExport: 'collection-run-results', collection, results }
  })
  void share('2026-03-12T17:02', tomas, {
    payload: { harborclientExport: 'request-run-results', collection, request: { name: 'Refund' }, results: [failed] }
  })
}

const DAY_MS = 24 * 3_600_000

/**
 * Who asks models how much: each working day a little differently. It is recorded by command, as a chat does it: there is no model
 * to ask.
 */
export function useModels(timeline: Timeline, { run }: ConsoleHub, people: People): void {
  const use = (day: string, who: keyof People, model: string, provider: string, prompt: number, answered: number) => {
    const tokens = { promptTokens: prompt, completionTokens: answered, totalTokens: prompt + answered }
    const said = { isNewTurn: true, hadToolCalls: false, messageCount: 4, outcome: 'completed' } as const
    const step = { userId: people[who].id, tokenId: null, model, provider, ...tokens, ...said, estimated: false }
    return run({ type: 'RecordLlmStep', id: `${day}-${who}`, step, budgets: [], price: null })
  }
  for (let n = 0; n < 18; n++) {
    const date = new Date(Date.parse('2026-02-24') + n * DAY_MS)
    if (date.getUTCDay() % 6 === 0) continue
    const day = date.toISOString().slice(0, 10)
    void timeline.at(`${day}T12:30`, () =>
      Promise.all([
        use(day, 'mara', 'claude-sonnet-5-5', 'claude', 9000 + 1700 * (n % 5), 2100 + 330 * (n % 4)),
        use(day, 'priya', 'gpt-6.1-sol', 'openai', 14_000 + 2600 * (n % 4), 3900 + 420 * (n % 3)),
        ...(n % 2 === 0 ? [use(day, 'tomas', 'claude-haiku-5-5', 'claude', 5200 + 900 * (n % 6), 1300)] : []),
        use(day, 'jonas', 'gpt-6-luna', 'openai', 3100 + 400 * (n % 3), 800)
      ])
    )
  }
}

/** What administrators see to: a lock, access, tokens, a webhook, invitations. Returns the secret of the one that is open. */
export function administer(timeline: Timeline, people: People, at: Promise<Place>): Promise<string> {
  const { grace, mara, tomas, jonas } = people
  const { ask } = grace
  void timeline.at('2026-03-03T08:30', async () => {
    const path = { id: (await at).collectionId }
    await ask.request('PUT', '/admin/collections/{id}', { path, body: { deletionLocked: true } })
    await ask.request('PUT', '/admin/users/{id}', { path: { id: jonas.id }, body: { collectionAccess: [path.id] } })
    // That somebody wanted to delete what is locked is in the log.
    await mara.ask.request('DELETE', '/collections/{id}', { path }).catch(() => {})
  })
  const issue = async (id: string, body: { readonly name: string; readonly agentWrites?: boolean }) =>
    (await ask.request('POST', '/admin/users/{id}/tokens', { path: { id }, body })).body.token.id
  const lost = timeline.at('2026-03-04T09:10', async () => {
    await issue(mara.id, { name: 'editor', agentWrites: true })
    return issue(tomas.id, { name: 'old laptop' })
  })
  void timeline.at('2026-03-06T08:20', async () =>
    ask.request('DELETE', '/admin/tokens/{id}', { path: { id: await lost } })
  )
  void timeline.at('2026-03-06T15:00', async () => {
    const { collectionId } = await at
    const what = { kinds: ['request'], collectionId, description: 'Runs the smoke tests' } as const
    await ask.request('POST', '/webhooks', { body: { url: 'https://ci.example.com/hooks/hub', ...what } })
  })
  const invite = async (name: string) => {
    const access = { role: 'user', collectionAccess: ['*'] } as const
    const body = { name, avatarColor: 'sky-600', ...access, expiresInHours: 120 } as const
    return (await ask.request('POST', '/admin/invited-users', { body })).body
  }
  return timeline.at('2026-03-11T09:05', async () => {
    const { invitation } = await invite('Sam Okonkwo')
    await ask.request('DELETE', '/admin/invitations/{id}', { path: { id: invitation.id } })
    return (await invite('Léa Moreau')).secret
  })
}
