import { budgets, useKept } from '../../app/accounts.js'
import type { Budget } from '../../model/budgets.js'
import { type Column, DialogButton, Dialogs, Name, RowTable, Section, Show } from '../../ui/kit.js'
import { BudgetMeter } from '../../ui/Meter.js'
import { ChangeBudget, DeleteBudget } from './ChangeBudget.js'
import { NewBudget } from './NewBudget.js'
import { Whose } from './Whose.js'

/** How much of models may be used by whom, and what is used of that now. */
export function Budgets() {
  const all = useKept(budgets)
  return (
    <Section title="Budgets" aside="What they allow now, whichever month is shown.">
      <Dialogs>
        <Show of={all}>
          {(list) =>
            list.length === 0 ? (
              <p class="soft">
                There are none: nothing but the limits of accounts keeps anybody from using as much as they like.
              </p>
            ) : (
              <RowTable label="Budgets" columns={COLUMNS} rows={list} keyOf={({ id }) => id} />
            )
          }
        </Show>
      </Dialogs>
      <div>
        <DialogButton icon="plus" dialog={(close) => <NewBudget close={close} />}>
          New budget
        </DialogButton>
      </div>
    </Section>
  )
}

const COLUMNS: readonly Column<Budget>[] = [
  {
    title: 'Budget',
    width: 'minmax(6rem, 2fr)',
    isPlain: true,
    cell: ({ name }) => <Name class="bold" of={name} />
  },
  { title: 'Counts', width: 'minmax(8rem, 3fr)', cell: (budget) => <Counted budget={budget} /> },
  { title: 'Used', width: 'minmax(12rem, 4fr)', isPlain: true, cell: (budget) => <BudgetMeter budget={budget} /> },
  { title: '', width: 'minmax(6rem, 11rem)', cell: (budget) => <Acts budget={budget} /> }
]

function Counted({ budget }: { readonly budget: Budget }) {
  return (
    <>
      <Whose of={budget} /> <bdi class="block hint">{budget.model ?? 'all models'}</bdi>
    </>
  )
}

function Acts({ budget }: { readonly budget: Budget }) {
  return (
    <div class="acts flex wrap">
      <DialogButton
        kind="quiet"
        aria-label={`Change ${budget.name}`}
        dialog={(close) => <ChangeBudget budget={budget} close={close} />}
      >
        Change
      </DialogButton>
      <DialogButton
        kind="quiet"
        aria-label={`Delete ${budget.name}`}
        dialog={(close) => <DeleteBudget budget={budget} close={close} />}
      >
        Delete
      </DialogButton>
    </div>
  )
}
