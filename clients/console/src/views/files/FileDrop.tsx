import { useEffect, useState } from 'preact/hooks'
import { importing, mayImport } from '../../app/importing.js'
import { session } from '../../app/session.js'
import { Icon, Later } from '../../ui/kit.js'
import css from './files.module.css'

const loadDialog = () => import('./ImportDialog.js')

/** Takes files that are dropped anywhere on the console, and shows the import that is being prepared. */
export function FileDrop() {
  const isWanted = session.value.is === 'open' && mayImport()
  const isOver = useDroppedFiles((file, leftOut) => {
    if (isWanted) importing.value = { file, into: importing.peek()?.into ?? null, leftOut }
  })
  const wish = importing.value
  return (
    <>
      {wish && isWanted && (
        <Later load={loadDialog}>
          {({ ImportDialog }) => <ImportDialog key={wish.file} {...wish} close={() => (importing.value = null)} />}
        </Later>
      )}
      {isOver && isWanted && !wish && (
        <div class={`${css.veil} center`} aria-hidden="true">
          <p>
            <Icon name="import" size={24} />
            Drop it to import it
          </p>
        </div>
      )}
    </>
  )
}

/**
 * Whether a file is held over the page. Of several that are dropped the first is taken, with how many others there are. Without this
 * the browser would leave the console and open the file.
 */
function useDroppedFiles(take: (file: File, others: number) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      const [file, ...others] = event.dataTransfer.files
      if (file) take(file, others.length)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [take])
  return isOver
}
