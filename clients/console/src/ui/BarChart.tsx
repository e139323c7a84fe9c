import { useEffect, useRef, useState } from 'preact/hooks'
import { type Bars, chartHeight } from '../model/bars.js'
import css from './BarChart.module.css'
import { useLater } from './states.js'

interface BarChartProps {
  /** What it shows, for who cannot see it; the numbers belong into a table beside it. */
  readonly label: string
  readonly bars: Bars
  readonly isLying?: boolean
  readonly format: (value: number) => string
}

/** Bars that say their numbers when they are pointed at. What draws them comes when they are first needed. */
export function BarChart({ label, bars, isLying = false, format }: BarChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const height = `${chartHeight(bars, isLying)}px`
  const drawing = useLater(() => import('./drawBars.js'), [])
  useEffect(
    () =>
      drawing && place.current
        ? drawing.drawBars(place.current, { bars, isLying, format, point: setPointed })
        : undefined,
    [drawing, bars, isLying, format]
  )
  return (
    <figure class="stack fit gap-4">
      <figcaption class={`${css.legend} flex wrap hint`} aria-hidden="true">
        {bars.series.map(({ label, values }, index) => (
          <span key={label} class={`${css.series} row gap-3`}>
            <span class={index === 0 ? css.first : css.second} />
            {label}
            {pointed !== null && <strong>{format(values[pointed] ?? 0)}</strong>}
          </span>
        ))}
        <span class={css.pointed}>{pointed === null ? '' : bars.labels[pointed]}</span>
      </figcaption>
      <div ref={place} class="fit clip" role="img" aria-label={label} style={{ height }} />
    </figure>
  )
}
