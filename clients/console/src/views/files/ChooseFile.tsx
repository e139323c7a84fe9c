import { useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import { TextArea } from '../../ui/TextArea.js'
import css from './files.module.css'

interface ChooseFileProps {
  readonly fault: string | null
  readonly choose: (file: File) => void
}

/** The first step of an import: a file, or its text. */
export function ChooseFile({ fault, choose }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  return (
    <>
      <div class={css.zone}>
        <p>Drop a file here, or anywhere on the console.</p>
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
        <p class={css.about}>
          Postman, OpenAPI and Swagger, Insomnia, Bruno (its folder as a zip archive), HTTP Archives, curl commands.
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
