import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { RecordRef } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { RestoreDialog } from './RestoreDialog.js'

interface RestoreButtonProps {
  readonly record: RecordRef
  readonly version: number
  readonly children?: ComponentChildren
}

/** Leads to what a restore of this version would change, and from there to the restore. */
export function RestoreButton({ record, version, children = 'Restore…' }: RestoreButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setAsking(true)}>{children}</Button>
      {isAsking && <RestoreDialog record={record} version={version} close={() => setAsking(false)} />}
    </>
  )
}
