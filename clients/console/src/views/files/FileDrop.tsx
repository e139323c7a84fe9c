import { useEffect, useState } from 'preact/hooks'
import { droppedIn } from '../../app/dropped.js'
import { type Importable, importing, importNext, importTogether, mayImport } from '../../app/importing.js'
import { session } from '../../app/session.js'
import { Icon, Later } from '../../ui/kit.js'
import css from './files.module.css'

const loadDialog = () => import('./ImportDialog.js')

/** Takes files that are dropped anywhere on the console, and shows the import that is being prepared. */
export function FileDrop() {
  const isWanted = session.value.is === 'open' && mayImport()
  const isOver = useDropped((all) => {
    if (isWanted) importTogether(all)
  })
  const wish = importing.value
  return (
    <>
      {wish && isWanted && (
        <Later load={loadDialog}>
          {({ ImportDialog }) => <ImportDialog key={wish.what} {...wish} close={importNext} />}
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

/** Whether files or folders are held over the page. Without this the browser would leave the console and open what is dropped. */
function useDropped(take: (all: readonly Importable[]) => void): boolean {
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
      take(droppedIn(event.dataTransfer))
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
