import { useRef, useState } from 'preact/hooks'
import { importTogether } from '../../app/importing.js'
import { Button, Notice, TextArea } from '../../ui/kit.js'
import css from './files.module.css'

interface ChooseProps {
  readonly fault: string | null
  readonly choose: (file: File) => void
}

/** The first step of an import: a file, or its text. */
export function ChooseFile({ fault, choose }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  return (
    <>
      <div class={`${css.zone} stack sunken gap-4`}>
        <p>Drop files or folders here, or anywhere on the console.</p>
        <Button icon="import" onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="File to import"
          onChange={({ currentTarget }) => {
            importTogether([...(currentTarget.files ?? [])])
            // So that the same file can be chosen again when it has changed.
            currentTarget.value = ''
          }}
        />
        <p class="hint">
          Postman, OpenAPI and Swagger, Insomnia, Bruno, OpenCollection and HarborClient (a folder, or a zip archive of
          it), HTTP Archives, curl commands; their environments too, and a whole data dump of Postman.
        </p>
      </div>
      {fault && <Notice tone="bad">{fault}</Notice>}
      <TextArea
        label="Or paste it"
        isCode
        value={text}
        hint="A curl command, or what is in such a file."
        change={setText}
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
