import { loadOwnBudgets } from '../../app/budgets.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { identity, seesRecords } from '../../app/session.js'
import { type Budget, nearnessOfBudget } from '../../model/budgets.js'
import { Name, Notice, Time } from '../../ui/kit.js'

const NEAR_WORDS = {
  over: 'is used up, and models that it counts are refused',
  near: 'is nearly used up, and calls that may need more than is left are refused'
} as const

/** Tells somebody of those budgets of models that count their use and are used up by four fifths or more; nothing where there are none. */
export function NearBudgets() {
  return seesRecords.value && identity().capabilities.llm ? <Loaded /> : null
}

function Loaded() {
  return <Near budgets={knownOf(useLoadable(loadOwnBudgets, [])) ?? []} />
}

/** Says of budgets of which little or nothing is left until when that is so. */
export function Near({ budgets }: { readonly budgets: readonly Budget[] }) {
  const near = budgets.flatMap((budget) => {
    const state = nearnessOfBudget(budget)
    return state === 'free' ? [] : [{ budget, words: NEAR_WORDS[state] }]
  })
  if (near.length === 0) return null
  return (
    <Notice tone="note">
      {near.map(({ budget: { id, name, endsAt }, words }) => (
        <p key={id}>
          The budget “<Name of={name} />” {words}, until it begins anew: <Time at={endsAt} />.
        </p>
      ))}
    </Notice>
  )
}
