import { createHash } from 'node:crypto'

/**
 * Which of several processes serves a tenant: the one whose id gives the highest number with it. All who know the same processes
 * come to the same one, and where one goes or comes only its own tenants change hands. Null where there is no process.
 */
export function ownerOf<M extends { readonly id: string }>(tenant: string, members: readonly M[]): M | null {
  let [owner, highest]: [M | null, string] = [null, '']
  for (const member of members) {
    const number = createHash('sha256').update(`${member.id} ${tenant}`).digest('hex')
    if (number <= highest) continue
    ;[owner, highest] = [member, number]
  }
  return owner
}
