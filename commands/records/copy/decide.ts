import type { NewEvent } from '../../../src/log/event.js'
import type { Deciders } from '../../context.js'
import { emitCollection } from '../collection/events.js'
import type { CollectionContent } from '../collection/fields.js'
import { emitEnvironment, environmentContent } from '../environment/events.js'
import type { ContentOf } from '../fields.js'
import { folderDeciders } from '../folder/decide.js'
import type { folderFields } from '../folder/fields.js'
import { accessible } from '../kind.js'
import { collectionKind, environmentKind } from '../kinds.js'
import { requireWildcard } from '../lockable.js'
import { type MemberContent, memberCreated } from '../source/decide.js'

/** A folder, a request or a document that stands in a copy, under an id of its own. */
export type CopiedMember = { readonly id: string } & MemberContent

/** `id` is what the copy gets; folders come before what is in them. */
export type CopyCommand =
  | {
      readonly type: 'CopyCollection'
      readonly id: string
      readonly content: CollectionContent
      readonly members: readonly CopiedMember[]
    }
  | {
      readonly type: 'CopyFolder'
      readonly id: string
      readonly collectionId: string
      readonly parentFolderId: string | null
      readonly content: ContentOf<typeof folderFields>
      readonly members: readonly CopiedMember[]
    }
  | { readonly type: 'CopyEnvironment'; readonly id: string; readonly from: string; readonly name: string }

/** Decides on copies, each as a whole: the same may make one who may make all of it. Who makes it has made what is in it. */
export const copyDeciders: Deciders<CopyCommand> = {
  CopyCollection({ id, content, members }, { caller }) {
    requireWildcard(caller, collectionKind)
    return [emitCollection(id, 'CollectionCreated', content), ...created(id, members)]
  },
  async CopyFolder({ id, collectionId, parentFolderId, content, members }, context) {
    const command = { type: 'CreateFolder', id, collectionId, parentFolderId, ...content } as const
    return [...(await folderDeciders.CreateFolder(command, context)), ...created(collectionId, members)]
  },
  async CopyEnvironment({ id, from, name }, { caller, read }) {
    requireWildcard(caller, environmentKind)
    const row = await accessible(environmentKind, from, caller, read)
    const content = environmentContent.parse({ ...JSON.parse(row.body), parentUuid: row.parentUuid })
    return [emitEnvironment(id, 'EnvironmentCreated', { ...content, name })]
  }
}

function created(collectionId: string, members: readonly CopiedMember[]): readonly NewEvent[] {
  return members.map((member) => memberCreated(collectionId, member.id, member))
}
