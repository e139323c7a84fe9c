import { useEffect, useRef, useState } from 'preact/hooks'
import { drawFace, imageIn, NoImage } from '../../app/drawFace.js'
import { Button } from '../../ui/Button.js'
import css from './faces.module.css'

interface ImageFieldProps {
  readonly hasImage: boolean
  readonly isRemovable: boolean
  /** Given the image as it is to be sent; null takes it away. */
  readonly change: (image: string | null) => void
}

const MIDDLE = 0.5

/** Choosing an image, and which square of a long one. It becomes small before it is sent. */
export function ImageField({ hasImage, isRemovable, change }: ImageFieldProps) {
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
    <div class={css.image}>
      <div class={css.buttons}>
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
        <label class={css.part}>
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
        <p class={css.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
