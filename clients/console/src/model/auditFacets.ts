import type { Schemas } from '@collections-hub/client'
import type { AuditFilter, Term } from './auditFilter.js'
import { actorName } from './auditSentences.js'
import { kindLabel, typeLabel } from './logKinds.js'
import { count, counted } from './numbers.js'

/** What a search finds, counted, as the hub tells it; its days are those of UTC. */
export type Facets = Schemas['AuditFacets']

/** One value that a search can be narrowed to, with how often it is there. */
export interface FacetValue {
  readonly key: string
  readonly label: string
  /** The label is a name that somebody gave. */
  readonly isName: boolean
  readonly count: number
  /** What choosing it makes of the filter; what takes it away where it is chosen. */
  readonly change: Readonly<Partial<Record<Term, string | null>>>
  readonly isChosen: boolean
}

const dayWords = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** The values by which a search can be narrowed further, sort by sort, and how many there are beside them; the newest days first. */
export function groupsOf(facets: Facets, filter: AuditFilter) {
  const { kinds, types, actors, days, more } = facets
  const value = (term: 'kind' | 'type' | 'actor', key: string, label: string, count: number): FacetValue => {
    const isChosen = filter[term] === key
    return { key, label, isName: term === 'actor', count, change: { [term]: isChosen ? null : key }, isChosen }
  }
  const day = (key: string, count: number): FacetValue => {
    const isChosen = filter.from === key && filter.to === key
    const change = isChosen ? { from: null, to: null } : { from: key, to: key }
    return { key, label: dayWords.format(new Date(`${key}T00:00:00Z`)), isName: false, count, change, isChosen }
  }
  return [
    {
      title: 'Kind',
      values: kinds.map((one) => value('kind', one.kind, kindLabel(one.kind), one.count)),
      more: more.kinds
    },
    {
      title: 'Type',
      values: types.map((one) => value('type', one.type, typeLabel(one.type), one.count)),
      more: more.types
    },
    {
      title: 'Person',
      values: actors.map((one) => value('actor', one.id, actorName(one, 'An account that is gone'), one.count)),
      more: more.actors
    },
    { title: 'Day (UTC)', values: days.map((one) => day(one.day, one.count)).reverse(), more: more.days }
  ]
}

/** How many entries a search finds, as the page and an export say it. */
export const foundWords = ({ counted: found, isWhole }: Pick<Facets, 'counted' | 'isWhole'>): string =>
  isWhole ? counted(found, 'entry', 'entries') : `more than ${counted(found, 'entry', 'entries')}`

/** A count as far as it is known: exact, or that there are more. */
export const atLeast = (value: number, isWhole: boolean): string =>
  isWhole ? count(value) : `more than ${count(value)}`
