import { loadOwnBudgets } from '../../app/budgets.js'
import { useLoadable } from '../../app/loaded.js'
import { type Budget, OWN_SUBJECTS } from '../../model/budgets.js'
import { Name, Section, Show } from '../../ui/kit.js'
import { BudgetMeter } from '../../ui/Meter.js'
import { Near } from './NearBudgets.js'

/** The budgets that count what somebody uses of models; nothing where there are none. */
export function OwnBudgets() {
  const loading = useLoadable(loadOwnBudgets, [])
  return (
    <Show of={loading} skeleton={<span />}>
      {(budgets) =>
        budgets.length > 0 && (
          <Section title="Budgets" aside="What you use of models counts in these.">
            <Near budgets={budgets} />
            <ul class="stack">
              {budgets.map((budget) => (
                <Entry key={budget.id} budget={budget} />
              ))}
            </ul>
          </Section>
        )
      }
    </Show>
  )
}

function Entry({ budget }: { readonly budget: Budget }) {
  const { name, subject, model } = budget
  return (
    <li class="stack ruled gap-2 entry-line">
      <span>
        <Name class="bold" of={name} />{' '}
        <span class="hint">
          {OWN_SUBJECTS[subject]}, <bdi>{model ?? 'all models'}</bdi>
        </span>
      </span>
      <BudgetMeter budget={budget} />
    </li>
  )
}
