import type { VNode } from 'preact'
import { route } from '../../app/route.js'
import type { RecordRef } from '../../model/records.js'
import { chosenVersions } from '../../model/versions.js'
import { AsItWas } from './AsItWas.js'
import { Compared } from './Compared.js'

/** What an address shows of a record in place of the present: two versions, or a moment; null where it is the present. */
export function pastView(record: RecordRef): VNode | null {
  const { query } = route.value
  const [one, other] = chosenVersions(query.get('versions'))
  if (one !== undefined && other !== undefined) {
    return <Compared record={record} from={Math.min(one, other)} to={Math.max(one, other)} />
  }
  const at = query.get('at')
  return at === null ? null : <AsItWas record={record} at={at} />
}
