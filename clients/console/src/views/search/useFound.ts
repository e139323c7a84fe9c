import { useEffect, useMemo, useState } from 'preact/hooks'
import { catalog, nameIn } from '../../app/catalog.js'
import { type Failure, failureOf, isAbort } from '../../app/hub.js'
import { knownOf } from '../../app/loaded.js'
import { knownMembers, namesAround } from '../../app/members.js'
import { recent } from '../../app/recent.js'
import { ask } from '../../app/session.js'
import { isUrlField } from '../../model/fieldNames.js'
import { ALONE, isKind, KINDS, type Kind, type RecordRef } from '../../model/records.js'
import { urlMasked } from '../../model/urlSecrets.js'

/** A record that a search leads to. */
export interface Found extends RecordRef {
  readonly kind: Kind
  readonly name: string
  /** The collection that it is in. */
  readonly where?: string | undefined
  /** Of a request how it asks, and for what. */
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly snippet?: { readonly text: string; readonly matches: readonly (readonly [number, number])[] } | undefined
}

const TYPING_MS = 120
/** Between two searches for the same words, while the hub's index lacks something. */
const AGAIN_MS = 1000
const LOCAL_MOST = 8
/** So many are asked for, and so many more each time that somebody wants more. */
const FOUND_AT_ONCE = 30
const FOUND_MOST = 90
/** The kinds that the console has pages of. */
const SHOWN = Object.keys(KINDS).join(',')

/** What has these words: known names at once, the hub's answer behind them, asked again until nothing can be missing in it. */
export function useFound(text: string) {
  const words = text.trim()
  const local = useMemo(() => byName(words), [words])
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof answerTo>> & { readonly words: string }>()
  const [failure, setFailure] = useState<Failure>()
  const [wanted, setWanted] = useState({ words, limit: FOUND_AT_ONCE })
  const limit = wanted.words === words ? wanted.limit : FOUND_AT_ONCE
  useEffect(() => {
    setFailure(undefined)
    if (words === '') return
    const stopping = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const askIn = (wait_ms: number) => {
      timer = setTimeout(() => {
        answerTo(words, limit, stopping.signal)
          .then((answer) => {
            setAnswer({ words, ...answer })
            if (!answer.isComplete) askIn(AGAIN_MS)
          })
          .catch((error: unknown) => !isAbort(error) && setFailure(failureOf(error)))
      }, wait_ms)
    }
    askIn(TYPING_MS)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [words, limit])
  const isAnswered = answer?.words === words
  const remote = answer && words !== '' ? answer.found : []
  const known = new Set(remote.map(({ id }) => id))
  const found =
    words === '' ? recently() : isAnswered ? [...remote, ...local.filter(({ id }) => !known.has(id))] : local
  const isAsking = words !== '' && !isAnswered && !failure
  const isPartial = isAnswered && !answer.isComplete
  const hasMore = isAnswered && answer.hasMore
  const more = hasMore && limit < FOUND_MOST ? () => setWanted({ words, limit: limit + FOUND_AT_ONCE }) : null
  return { found, isAsking, isPartial, failure, hasMore, more }
}

/** What the hub finds; it is not complete where the hub has not taken in yet all that was written. */
async function answerTo(q: string, limit: number, signal: AbortSignal) {
  const body = await ask('GET', '/search', { query: { q, kind: SHOWN, limit }, signal })
  const found = body.results.flatMap(({ kind, id, name, collectionId, method, url, snippets }): readonly Found[] => {
    if (!isKind(kind)) return []
    // Of a URL a piece does not tell what of it is secret: it is shown whole then, and masked.
    const isOpen = (text: string) => (url === undefined ? !/[=@]/.test(text) : urlMasked(url) === url)
    const inText = snippets.find(({ field, text }) => field !== 'name' && (!isUrlField(field) || isOpen(text)))
    const one = {
      kind,
      id,
      name,
      collectionId,
      where: nameIn('collection', collectionId),
      ...{ method, url },
      snippet: inText && { text: inText.text, matches: inText.matches }
    }
    return [one]
  })
  return { found, hasMore: body.nextCursor !== null, isComplete: body.isComplete }
}

/** What was opened last, by the names that are known of it. */
function recently(): readonly Found[] {
  return recent.value.flatMap((ref) => {
    const name = namesAround(ref)(ref.id)
    return name === undefined ? [] : [{ ...ref, name, where: nameIn('collection', ref.collectionId) }]
  })
}

/** Of what the console knows already: names that have the text in them, those that begin with it first. */
function byName(words: string): readonly Found[] {
  if (words === '') return []
  const wanted = words.toLowerCase()
  const found: (Found & { readonly at: number })[] = []
  for (const one of knownRecords()) {
    const at = one.name.toLowerCase().indexOf(wanted)
    if (at >= 0) found.push({ ...one, at })
  }
  return found.sort((a, b) => Number(a.at > 0) - Number(b.at > 0)).slice(0, LOCAL_MOST)
}

function* knownRecords(): Generator<Found> {
  for (const kind of ALONE) {
    for (const { id, name } of knownOf(catalog[kind]) ?? []) yield { kind, id, name }
  }
  for (const { collectionId, member } of knownMembers()) {
    yield {
      kind: member.kind,
      id: member.id,
      name: member.name,
      collectionId,
      where: nameIn('collection', collectionId),
      method: member.method
    }
  }
}
