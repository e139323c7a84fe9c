import { type Loaded, mayEdit } from '../../app/records.js'
import { go, linkWith } from '../../app/route.js'
import { curlOf } from '../../model/curl.js'
import type { RecordRef } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { toast } from '../../ui/toasts.js'
import { NewMenu } from '../editing/NewMenu.js'
import { RecordMenu } from '../editing/RecordMenu.js'

interface ActionsProps {
  readonly record: RecordRef
  readonly loaded: Loaded
}

/** What else can be done with a record. */
export function RecordActions({ record, loaded }: ActionsProps) {
  return (
    <>
      {loaded.kind === 'request' && (
        <Button icon="copy" onClick={() => copy(loaded.content)}>
          Copy as cURL
        </Button>
      )}
      {mayEdit() && loaded.kind === 'collection' && (
        <Button icon="history" onClick={() => go(linkWith({ at: new Date().toISOString() }))}>
          As it was…
        </Button>
      )}
      {mayEdit() && loaded.kind === 'collection' && (
        <NewMenu
          label="New in this collection"
          kinds={INSIDE}
          container={{ collectionId: record.id, folderId: null }}
        />
      )}
      {mayEdit() && loaded.kind === 'folder' && (
        <NewMenu
          label="New in this folder"
          kinds={INSIDE}
          container={{ collectionId: loaded.content.collectionId, folderId: record.id }}
        />
      )}
      {mayEdit() && <RecordMenu record={record} loaded={loaded} />}
    </>
  )
}

const INSIDE = ['request', 'folder', 'document'] as const

async function copy(request: Parameters<typeof curlOf>[0]): Promise<void> {
  await navigator.clipboard.writeText(curlOf(request))
  toast('Copied as cURL, with secrets masked.')
}
