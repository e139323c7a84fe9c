import { useEffect, useRef, useState } from 'preact/hooks'
import { drawFace, imageIn, NoImage } from '../../app/drawFace.js'
import { imageAt } from '../../app/faces.js'
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
import { Ask, Avatar, Button, Field, toast } from '../../ui/kit.js'
import css from './faces.module.css'

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
  const kept = imageAt(face.imageUrl).value
  const shown = image === undefined ? kept : image
  const fault = initialsFault(initials)
  const typed = { initials: fault ? '' : initials.trim().toUpperCase(), color }
  const submit = async () => {
    if (fault) return
    const changes = faceChanges(face, { initials, color, image })
    if (Object.keys(changes).length > 0) {
      await save(changes)
      toast('The avatar is saved.')
    }
    close()
  }
  return (
    <Ask title={title} verb="Save" act={submit} close={close}>
      <div class="row wrap gap-8">
        <Avatar face={typed} image={shown} size="large" isSquare={isSquare} />
        <ImageField hasImage={shown !== null} change={setImage} isRemovable={face.imageUrl !== undefined || !!image} />
      </div>
      <Field
        label="Initials"
        value={initials}
        autoComplete="off"
        spellcheck={false}
        fault={fault}
        hint="One or two letters."
        change={setInitials}
      />
      <fieldset class={`${css.colors} stack gap-line`}>
        <legend>Colour</legend>
        {FACE_COLORS.map((one) => (
          <label key={one} class={`${css.color} row gap-4`}>
            <input type="radio" name="color" checked={one === color} onChange={() => setColor(one)} />
            <Avatar face={{ ...typed, color: one }} isSquare={isSquare} />
            {colorName(one)}
          </label>
        ))}
      </fieldset>
    </Ask>
  )
}

interface ImageFieldProps {
  readonly hasImage: boolean
  readonly isRemovable: boolean
  /** Given the image as it is to be sent; null takes it away. */
  readonly change: (image: string | null) => void
}

const MIDDLE = 0.5

/** Choosing an image, and which square of a long one. It becomes small before it is sent. */
function ImageField({ hasImage, isRemovable, change }: ImageFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [source, setSource] = useState<ImageBitmap>()
  const [part, setPart] = useState(MIDDLE)
  const [fault, setFault] = useState<string>()
  useEffect(() => () => source?.close(), [source])
  const choose = async (file: File) => {
    try {
      const image = await imageIn(file)
      change(drawFace(image, MIDDLE))
      setFault(undefined)
      setPart(MIDDLE)
      setSource(image)
    } catch (error) {
      if (!(error instanceof NoImage)) throw error
      setFault(error.message)
    }
  }
  const move = (to: number) => {
    setPart(to)
    if (source) change(drawFace(source, to))
  }
  const remove = () => {
    setSource(undefined)
    setFault(undefined)
    change(null)
  }
  return (
    <div class={`${css.image} stack fit gap-4`}>
      <div class="flex wrap gap-4">
        <Button icon="import" onClick={() => input.current?.click()}>
          {hasImage ? 'Another image' : 'Choose an image'}
        </Button>
        {hasImage && isRemovable && <Button onClick={remove}>Remove it</Button>}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        aria-label="Image"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void choose(file)
          // So that the same file can be chosen again when it has changed.
          currentTarget.value = ''
        }}
      />
      {source && source.width !== source.height && (
        <label class={`${css.part} row hint gap-6`}>
          Part of it
          <input
            type="range"
            min={0}
            max={1}
            step={0.01}
            value={part}
            onInput={({ currentTarget }) => move(currentTarget.valueAsNumber)}
          />
        </label>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
