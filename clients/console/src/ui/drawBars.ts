import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { theme } from '../app/theme.js'
import { type Bars, chartHeight, stacked } from '../model/bars.js'

export interface Drawing {
  readonly bars: Bars
  /** The bars lie, one below the other, with room for long labels. */
  readonly isLying: boolean
  readonly format: (value: number) => string
  /** Told of the bar that is pointed at; null of none. */
  readonly point: (index: number | null) => void
}

const LABELS_PX = 150
const NARROW_PX = 90

/** Draws bars into an element until the function that it gives back is called. They follow its width and the colours of the page. */
export function drawBars(place: HTMLElement, drawing: Drawing): () => void {
  let chart = chartIn(place, drawing)
  const again = () => {
    chart.destroy()
    chart = chartIn(place, drawing)
  }
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', again)
  const stopWatching = theme.subscribe(() => {
    if (chart.root.isConnected) again()
  })
  const watching = new ResizeObserver(() => {
    if (chart.width !== place.clientWidth && place.clientWidth > 0) again()
  })
  watching.observe(place)
  return () => {
    scheme.removeEventListener('change', again)
    stopWatching()
    watching.disconnect()
    chart.destroy()
  }
}

/** A colour of the page as it is now, light or dark. */
function colourIn(place: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function chartIn(place: HTMLElement, { bars, isLying, format, point }: Drawing): uPlot {
  const { labels, series } = bars
  const look = getComputedStyle(place)
  const colour = (name: string) => colourIn(place, name)
  const font = `12px ${look.fontFamily}`
  const axis = { stroke: colour('--soft'), font, ticks: { show: false } }
  const tones = series.map((_, index) => colour(index === 0 ? '--accent' : '--edge')).reverse()
  const width = place.clientWidth
  const options: uPlot.Options = {
    width,
    height: chartHeight(bars, isLying),
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { x: !isLying, y: isLying, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, ori: isLying ? 1 : 0, dir: isLying ? -1 : 1, range: [-0.6, labels.length - 0.4] },
      y: { ori: isLying ? 0 : 1, range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] }
    },
    axes: [
      {
        ...axis,
        side: isLying ? 3 : 2,
        grid: { show: false },
        incrs: isLying ? [1] : [1, 2, 5, 10],
        space: isLying ? 1 : 28,
        ...(isLying && { size: width < 480 ? NARROW_PX : LABELS_PX }),
        values: (_, at) => at.map((index) => fitting(labels[index] ?? '', isLying, width))
      },
      {
        ...axis,
        side: isLying ? 2 : 3,
        grid: { stroke: colour('--line'), width: 1 },
        space: isLying ? 90 : 48,
        size: isLying ? 28 : 64,
        values: (_, at) => at.map(format)
      }
    ],
    series: [
      {},
      ...tones.map((fill) => ({
        fill,
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.1 })
      }))
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] }
  }
  return new uPlot(options, [labels.map((_, index) => index), ...stacked(bars).map((one) => [...one])], place)
}

/** A label that does not reach into the bars. */
function fitting(label: string, isLying: boolean, width: number): string {
  const max = width < 480 ? 11 : 20
  return isLying && label.length > max ? `${label.slice(0, max - 1).trimEnd()}…` : label
}
