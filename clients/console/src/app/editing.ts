import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Draft } from '../model/drafts.js'
import { type Fault, otherFaults } from '../model/faults.js'
import { changedFields, FIELDS, type Field, formOf, type Part, pick } from '../model/forms.js'
import { type Choice, idOf, type Merged, merge, type Place } from '../model/merge.js'
import { inStep } from '../model/query.js'
import type { RecordRef } from '../model/records.js'
import { draftPlace, keepTyping } from './drafts.js'
import { changedBy } from './history.js'
import { type Failure, failureOf, isAbort, whenBack } from './hub.js'
import { type Loaded, loadRecord, saveRecord } from './records.js'
import { renewIdentity } from './session.js'

/** So often a save is tried where others save meanwhile. */
const TRIES = 3

/** What others have changed since the editing began. */
export interface News {
  readonly who: readonly string[]
  readonly places: readonly Place[]
  /** Whether the form shows it already, since nothing was changed there. */
  readonly isTaken: boolean
}

/** A record that was saved, with what others had changed of it meanwhile. */
export interface Saved {
  readonly record: Loaded
  readonly taken: readonly Place[]
  readonly who: readonly string[]
}

/**
 * Somebody's editing of a record, from when they begin until they leave. What they change is kept in the tab, and what others
 * change is merged with it.
 */
export class Editing {
  /** What is in the form. */
  readonly form: Signal<Part>
  readonly changed: ReadonlySignal<readonly Field[]>
  /** What would be saved now, with what has to be decided before. */
  readonly merged: ReadonlySignal<Merged>
  readonly news = signal<News | null>(null)
  /** Whether what both sides have changed has to be decided now. */
  readonly isAsked = signal(false)
  readonly isSaving = signal(false)
  /** Why the hub has refused what was sent last. */
  readonly failure = signal<Failure | null>(null)
  /** What it says is wrong with fields, but for those that were changed since. */
  readonly faults: ReadonlySignal<readonly Fault[]>
  /** When that was typed which is there again after a reload or another session. */
  readonly restoredFrom: Signal<number | null>
  /** False where the tab has no room for what is typed. */
  readonly isKept: ReadonlySignal<boolean>

  /** What was in the form when the hub refused it. */
  #refused: Part = {}
  readonly #ref: RecordRef
  readonly #fields: readonly Field[]
  /** What the form began with, and since when that was so. */
  readonly #base: Signal<Part>
  #since: string
  readonly #latest: Signal<Loaded>
  readonly #asking = new AbortController()
  readonly #stopKeeping: () => void

  constructor(ref: RecordRef, start: Loaded) {
    const place = draftPlace(ref)
    const draft = place.read()
    this.#ref = ref
    this.#fields = FIELDS[start.kind]
    this.#latest = signal(start)
    this.#since = draft?.since ?? start.content.updatedAt
    this.#base = signal({ ...formOf(start), ...draft?.base })
    this.form = signal({ ...formOf(start), ...draft?.mine })
    this.restoredFrom = signal(draft?.at ?? null)
    this.changed = computed(() => changedFields(this.#fields, this.#base.value, this.form.value))
    this.merged = computed(() =>
      merge(this.#fields, { base: this.#base.value, mine: this.form.value, theirs: formOf(this.#latest.value) })
    )
    this.faults = computed(() => {
      const since = changedFields(this.#fields, this.#refused, this.form.value)
      return otherFaults(this.failure.value?.faults ?? [], since)
    })
    const { isKept, stop } = keepTyping(place, () => this.#draft())
    this.isKept = isKept
    this.#stopKeeping = stop
    if (draft) void this.#tell()
  }

  change(part: Part): void {
    this.form.value = { ...this.form.peek(), ...part }
  }

  /** Takes in the record as the hub has it by now. */
  follow(latest: Loaded): void {
    if (latest.etag === this.#latest.peek().etag) return
    this.#latest.value = latest
    void this.#tell()
  }

  /** Puts what others have changed into the form, or asks where both have. */
  takeOver(): void {
    const { form, conflicts } = this.merged.peek()
    if (conflicts.length > 0) this.isAsked.value = true
    else {
      this.#goOnFrom(this.#latest.peek(), this.form.peek(), form)
      this.news.value = null
    }
  }

  /** Saves what is changed; null where something has to be decided first, or where the hub refuses. */
  async save(choices: ReadonlyMap<string, Choice> = new Map()): Promise<Saved | null> {
    if (this.isSaving.peek()) return null
    this.isSaving.value = true
    this.failure.value = null
    try {
      return await this.#attempt(choices, TRIES)
    } catch (error) {
      if (isAbort(error)) return null
      this.#refused = this.form.peek()
      const failure = failureOf(error)
      this.failure.value = failure
      if (failure.status === 0) whenBack(() => this.#forget(failure))
      // A role may have been another one when the session was asked for last: what is offered from now on goes by that of now.
      if (failure.status === 403) void renewIdentity()
      return null
    } finally {
      this.isSaving.value = false
    }
  }

  /** Gives up what was changed. */
  discard(): void {
    this.#goOnFrom(this.#latest.peek(), this.form.peek(), formOf(this.#latest.peek()))
    this.#settle()
    this.failure.value = null
  }

  stop(): void {
    this.#asking.abort()
    this.#stopKeeping()
  }

  async #attempt(choices: ReadonlyMap<string, Choice>, tries: number): Promise<Saved | null> {
    const [latest, mine] = [this.#latest.peek(), this.form.peek()]
    const sides = { base: this.#base.peek(), mine, theirs: formOf(latest) }
    const { taken, conflicts, ...merged } = merge(this.#fields, sides, choices)
    const form = choices.size === 0 ? merged.form : inStep(merged.form)
    if (conflicts.some((conflict) => !choices.has(idOf(conflict)))) {
      this.isAsked.value = true
      return null
    }
    try {
      const isThere = changedFields(this.#fields, sides.theirs, form).length === 0
      const record = isThere ? latest : await saveRecord(latest, form)
      const who = this.news.peek()?.who ?? []
      this.#latest.value = record
      this.#goOnFrom(record, mine, formOf(record))
      this.#settle()
      if (this.changed.peek().length === 0) draftPlace(this.#ref).drop()
      return { record, taken, who }
    } catch (error) {
      if (failureOf(error).status !== 412 || tries <= 1) throw error
      // What was decided holds: what has changed since is compared with that.
      this.#goOnFrom(latest, mine, form)
      this.follow(await loadRecord(this.#ref, this.#asking.signal))
      return this.#attempt(new Map(), tries - 1)
    }
  }

  /** Takes back what was said of a save, unless something else is said by now. */
  #forget(failure: Failure): void {
    if (this.failure.peek() === failure) this.failure.value = null
  }

  /** Goes on from a state of the record: `form` takes the place of `mine`, and what was typed since then stays. */
  #goOnFrom(record: Loaded, mine: Part, form: Part): void {
    this.form.value = merge(this.#fields, { base: mine, mine: this.form.peek(), theirs: form }).form
    this.#base.value = formOf(record)
    this.#since = record.content.updatedAt
  }

  #settle(): void {
    this.news.value = null
    this.isAsked.value = false
    this.restoredFrom.value = null
  }

  async #tell(): Promise<void> {
    const { form, taken, conflicts } = this.merged.peek()
    const places = [...taken, ...conflicts]
    const isTaken = this.changed.peek().length === 0
    const since = this.#since
    if (places.length === 0 || isTaken) this.#goOnFrom(this.#latest.peek(), this.form.peek(), form)
    if (places.length === 0) return
    const latest = this.#latest.peek()
    const who = await changedBy(this.#ref, since, this.#asking.signal).catch(() => [])
    if (this.#latest.peek() === latest) this.news.value = { who, places, isTaken }
  }

  #draft(): Omit<Draft, 'at'> | null {
    const touched = this.changed.value
    const [base, mine] = [pick(this.#base.value, touched), pick(this.form.value, touched)]
    return touched.length === 0 ? null : { kind: this.#ref.kind, id: this.#ref.id, since: this.#since, base, mine }
  }
}
