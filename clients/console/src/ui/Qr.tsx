import css from './Qr.module.css'
import { useLater } from './states.js'

/** The margin that readers need, in squares. */
const MARGIN = 4

/** A text as a QR code, dark on light in both schemes: readers expect that. What draws it comes when it is needed. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  // Where it cannot be drawn, the text itself stands beside it.
  const drawing = useLater(() => draw(text), [text])
  if (drawing?.text !== text) return <div class={`${css.code} frame`} />
  return (
    <svg class={`${css.code} frame`} viewBox={`0 0 ${drawing.size} ${drawing.size}`} role="img" aria-label={label}>
      <path d={drawing.path} shape-rendering="crispEdges" />
    </svg>
  )
}

async function draw(text: string) {
  const { default: qrcode } = await import('qrcode-generator')
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const squares = code.getModuleCount()
  let path = ''
  for (let row = 0; row < squares; row++) {
    for (let column = 0; column < squares; column++) {
      if (code.isDark(row, column)) path += `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`
    }
  }
  return { text, size: squares + 2 * MARGIN, path }
}
