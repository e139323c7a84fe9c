import type { Finding } from './finding.js'
import { type Operation, operationsOf, SPENT } from './history.js'
import { isLinearizable, type Step } from './linearize.js'

/** What is used of a budget, and what is held of it by id. */
interface Budget {
  readonly used: number
  readonly held: Readonly<Record<string, number>>
}

/** What is wrong with the budgets and the secrets of a history, and how many of them were too much to decide. */
export interface ObjectsVerdict {
  readonly findings: readonly Finding[]
  readonly undecided: number
}

/** That budgets are counters, and secrets registers that are set once, whatever the order was in which their operations took effect. */
export function checkObjects(operations: readonly Operation[]): ObjectsVerdict {
  const reserves = operationsOf(operations, 'reserve')
  const settles = operationsOf(operations, 'settle')
  const redemptions = operationsOf(operations, 'redeem')
  const verdicts: { readonly name: string; readonly verdict: boolean | null }[] = []
  for (const budget of new Set(reserves.map(({ sent }) => sent.budget))) {
    const isOfIt = ({ sent }: Operation<'reserve' | 'settle'>) => sent.budget === budget
    const steps = [...reserves.filter(isOfIt).map(reserveStep), ...settles.filter(isOfIt).map(settleStep)]
    const verdict = isLinearizable(told(steps), { used: 0, held: {} }, budgetKey)
    verdicts.push({ name: `The budget ${budget}`, verdict })
  }
  for (const secret of new Set(redemptions.map(({ sent }) => sent.secret))) {
    const steps = redemptions.filter(({ sent }) => sent.secret === secret).map(redeemStep)
    verdicts.push({ name: `The secret ${secret}`, verdict: isLinearizable(told(steps), false, String) })
  }
  const wrong = verdicts.filter(({ verdict }) => verdict === false)
  return {
    findings: wrong.map(
      ({ name }): Finding => ({ kind: 'overspent', text: `${name} was used in a way that no order explains.` })
    ),
    undecided: verdicts.filter(({ verdict }) => verdict === null).length
  }
}

/** Without the refusals that say nothing of the state. */
function told<State>(steps: readonly (Step<State> | null)[]): readonly Step<State>[] {
  return steps.filter((step) => step !== null).toSorted((a, b) => a.from - b.from)
}

function reserveStep({ sent, outcome, error, from, to }: Operation<'reserve'>): Step<Budget> | null {
  if (outcome === 'fail' && error !== SPENT) return null
  const { id, tokens, limit } = sent
  const after = (budget: Budget): Budget | null => {
    const { used, held } = budget
    const left = limit - used - Object.values(held).reduce((sum, some) => sum + some, 0)
    if (outcome === 'fail') return left <= 0 ? budget : null
    return left > 0 ? { used, held: { ...held, [id]: Math.max(1, Math.min(tokens, left)) } } : null
  }
  return { from, to, isOptional: outcome === 'info', after }
}

function settleStep({ sent, outcome, from, to }: Operation<'settle'>): Step<Budget> | null {
  if (outcome === 'fail') return null
  const after = ({ used, held: { [sent.id]: _, ...held } }: Budget) => ({ used: used + sent.used, held })
  return { from, to, isOptional: outcome === 'info', after }
}

function redeemStep({ outcome, error, from, to }: Operation<'redeem'>): Step<boolean> | null {
  if (outcome === 'fail' && error !== SPENT) return null
  const after = (isUsed: boolean) => (isUsed === (outcome === 'fail') ? true : null)
  return { from, to, isOptional: outcome === 'info', after }
}

function budgetKey({ used, held }: Budget): string {
  const ids = Object.keys(held).sort()
  return `${used} ${ids.map((id) => `${id}=${held[id]}`).join(' ')}`
}
