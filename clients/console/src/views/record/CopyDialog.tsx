import type { Schemas } from '@collections-hub/client'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { knownOf } from '../../app/loaded.js'
import { useSurroundings } from '../../app/surroundings.js'
import { copiedAs, FORMATS, type Format } from '../../model/copyAs.js'
import { leftOpenText } from '../../model/leftOpen.js'
import { sentFor } from '../../model/sent.js'
import { Ask, Check, Code, copyText, SELECTED, Select, TextArea, toast } from '../../ui/kit.js'
import { EnvironmentChoice } from './SentWith.js'

interface CopyProps {
  readonly request: Schemas['SavedRequest']
  readonly close: () => void
}

const LANGUAGES = { curl: 'text', fetch: 'javascript', python: 'text', httpie: 'text' } as const

let last: Format = 'curl'

/** A request as a text that sends it, with what its collection adds and its variables filled in. It is seen before it is copied. */
export function CopyDialog({ request, close }: CopyProps) {
  const [format, setFormat] = useState(last)
  const [withSecrets, setSecrets] = useState(false)
  const known = knownOf(useSurroundings(request.collectionId))
  const shared = known?.shared ?? null
  const variables = known?.variables ?? new Map()
  const filling = { variables, withSecrets }
  const sent = sentFor(request, shared, filling)
  const text = copiedAs(format, sent)
  const leftOpen = known ? leftOpenText(sent, filling) : null
  const [isByHand, setByHand] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return setByHand(true)
    toast(withSecrets ? 'Copied, with its secrets.' : 'Copied, with secrets masked.')
    close()
  }
  return (
    <Ask title={`Copy “${request.name}”`} verb="Copy" icon="copy" isWide disabled={!known} act={copy} close={close}>
      <Select
        label="As"
        value={format}
        options={FORMATS}
        change={(chosen) => {
          last = chosen
          setFormat(chosen)
        }}
      />
      <EnvironmentChoice />
      <Check
        label="With secrets"
        about="Whoever reads it where it is pasted can use them."
        isOn={withSecrets}
        turn={setSecrets}
      />
      {isByHand ? <Selected text={text} /> : <Code text={text} language={LANGUAGES[format]} label="What is copied" />}
      {leftOpen !== null && <p class="hint">{leftOpen}</p>}
    </Ask>
  )
}

/** A text that the browser does not copy, selected to be copied by hand. */
function Selected({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const field = place.current?.querySelector('textarea')
    field?.focus()
    field?.select()
  }, [text])
  return (
    <div ref={place}>
      <TextArea label="What is copied" hint={SELECTED} isCode readOnly value={text} />
    </div>
  )
}
