import type { Change } from '@collections-hub/client'
import type { RecordRef } from '../model/records.js'
import { useChanges } from './live.js'
import { type Loadable, useLoadable } from './loaded.js'
import { type Loaded, loadRecord } from './records.js'

/** A record that a view shows: what others change appears by itself. A moment of the past stays as it was. */
export function useRecord(ref: RecordRef, at?: string): Loadable<Loaded> {
  const record = useLoadable((signal) => loadRecord(ref, signal, at), [ref.kind, ref.id, at])
  const refresh = (change: Change) => {
    if (at === undefined && change.kind === ref.kind && change.id === ref.id) void record.reload()
  }
  useChanges(refresh, [record, ref.kind, ref.id, at])
  return record
}
