import { useState } from 'preact/hooks'
import { imageAt } from '../../app/images.js'
import { useAct } from '../../app/useAct.js'
import {
  colorName,
  FACE_COLORS,
  type Face,
  type FaceChanges,
  type FaceColor,
  faceChanges,
  initialsFault,
  knownColor
} from '../../model/faces.js'
import { Avatar } from '../../ui/Avatar.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Field } from '../../ui/Field.js'
import { Notice } from '../../ui/Notice.js'
import { toast } from '../../ui/toasts.js'
import css from './faces.module.css'
import { ImageField } from './ImageField.js'

interface FaceDialogProps {
  /** Whose avatar it is: `Your avatar`. */
  readonly title: string
  readonly face: Face
  readonly isSquare?: boolean
  readonly save: (changes: FaceChanges) => Promise<void>
  readonly close: () => void
}

/** Choosing initials, a colour and an image. The image stands before the others, which show where it does not. */
export function FaceDialog({ title, face, isSquare = false, save, close }: FaceDialogProps) {
  const [initials, setInitials] = useState(face.initials)
  const [color, setColor] = useState<FaceColor>(knownColor(face.color))
  const [image, setImage] = useState<string | null>()
  const { isBusy, failure, run } = useAct()
  const kept = imageAt(face.imageUrl).value
  const shown = image === undefined ? kept : image
  const fault = initialsFault(initials)
  const typed = { initials: fault ? '' : initials.trim().toUpperCase(), color }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (fault) return
    const changes = faceChanges(face, { initials, color, image })
    if (Object.keys(changes).length === 0) return close()
    if (!(await run(() => save(changes)))) return
    toast('The avatar is saved.')
    close()
  }
  return (
    <Dialog
      title={title}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form="face" isBusy={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <form id="face" class={css.form} onSubmit={submit} noValidate>
        <div class={css.top}>
          <Avatar face={typed} image={shown} size="large" isSquare={isSquare} />
          <ImageField
            hasImage={shown !== null}
            change={setImage}
            isRemovable={face.imageUrl !== undefined || !!image}
          />
        </div>
        <Field
          label="Initials"
          value={initials}
          maxLength={8}
          autoComplete="off"
          spellcheck={false}
          fault={fault}
          hint="One or two letters."
          onInput={({ currentTarget }) => setInitials(currentTarget.value)}
        />
        <fieldset class={css.colors}>
          <legend>Colour</legend>
          {FACE_COLORS.map((one) => (
            <label key={one} class={css.color}>
              <input type="radio" name="color" checked={one === color} onChange={() => setColor(one)} />
              <Avatar face={{ ...typed, color: one }} isSquare={isSquare} />
              {colorName(one)}
            </label>
          ))}
        </fieldset>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
      </form>
    </Dialog>
  )
}
