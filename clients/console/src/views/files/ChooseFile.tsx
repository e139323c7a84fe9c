import { useRef, useState } from 'preact/hooks'
import { Button, Notice, TextArea } from '../../ui/kit.js'
import css from './files.module.css'

/** The first step of an import: a file, or its text. */
export function ChooseFile({
  fault,
  choose
}: {
  readonly fault: string | null
  readonly choose: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  return (
    <>
      <div class={`${css.zone} stack sunken gap-4`}>
        <p>Drop a file here, or anywhere on the console: one at a time.</p>
        <Button icon="import" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="File to import"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) choose(file)
            // So that the same file can be chosen again when it has changed.
            currentTarget.value = ''
          }}
        />
        <p class="hint">
          Postman, OpenAPI and Swagger, Insomnia, Bruno and OpenCollection (a folder as a zip archive), HarborClient,
          HTTP Archives, curl commands; their environments too, and a whole data dump of Postman.
        </p>
      </div>
      {fault && <Notice tone="bad">{fault}</Notice>}
      <TextArea
        label="Or paste it"
        isCode
        value={text}
        hint="A curl command, or what is in such a file."
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button
        disabled={text.trim() === ''}
        onClick={() => choose(new File([text], 'What was pasted', { type: 'text/plain' }))}
      >
        See what it brings
      </Button>
    </>
  )
}
