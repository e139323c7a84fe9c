import { groups, tokens, useKept, users } from '../../app/accounts.js'
import { knownOf } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import type { Budget } from '../../model/budgets.js'
import { Name } from '../../ui/kit.js'

/** Whose use a budget counts, by name. Only the list that the name is in is asked for. */
export function Whose({ of: { subject, subjectId } }: { readonly of: Pick<Budget, 'subject' | 'subjectId'> }) {
  if (subjectId === null) return <>all of the hub</>
  if (subject === 'user') return <Account id={subjectId} />
  return subject === 'group' ? <Group id={subjectId} /> : <Token id={subjectId} />
}

interface ById {
  readonly id: string
}

function Account({ id }: ById) {
  const name = knownOf(useKept(users))?.find((one) => one.id === id)?.name
  return <Named step="people" id={id} name={name ?? 'an account'} />
}

function Group({ id }: ById) {
  const name = knownOf(useKept(groups))?.find((one) => one.id === id)?.name
  return (
    <>
      group <Named step="groups" id={id} name={name ?? 'without a name'} />
    </>
  )
}

/** A token has no page: that of its owner lists it. */
function Token({ id }: ById) {
  const token = knownOf(useKept(tokens))?.find((one) => one.id === id)
  if (!token) return <>a token</>
  return (
    <>
      token <Name of={token.name} /> of <Account id={token.userId} />
    </>
  )
}

function Named({ step, id, name }: ById & { readonly step: string; readonly name: string }) {
  return (
    <a href={linkTo([step, id])}>
      <Name of={name} />
    </a>
  )
}
