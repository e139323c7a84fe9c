/** Bars with a label each; several series stand on each other. */
export interface Bars {
  readonly labels: readonly string[]
  readonly series: readonly { readonly label: string; readonly values: readonly number[] }[]
}

const STANDING_PX = 240
const LYING_PX = 32
const AXIS_PX = 40

/** How high a chart is: lying bars are as many rows. */
export const chartHeight = (bars: Bars, isLying: boolean): number =>
  isLying ? bars.labels.length * LYING_PX + AXIS_PX : STANDING_PX

/** The series as they are drawn: each from 0 to the top of its part, the highest first, so that lower ones stand before it. */
export function stacked({ series }: Bars): readonly (readonly number[])[] {
  const tops: number[][] = []
  for (const { values } of series) tops.push(values.map((value, index) => value + (tops.at(-1)?.[index] ?? 0)))
  return tops.reverse()
}

/** The bars of the largest values, at most `max`, and the rest together as one more. */
export function largest({ labels, series }: Bars, max: number, rest: string): Bars {
  const total = (index: number) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
  const order = labels.map((_, index) => index).sort((a, b) => total(b) - total(a))
  const [shown, others] = [order.slice(0, max), order.slice(max)]
  const pick = (values: readonly number[]) => shown.map((index) => values[index] ?? 0)
  const sum = (values: readonly number[]) => others.reduce((all, index) => all + (values[index] ?? 0), 0)
  return {
    labels: [...shown.map((index) => labels[index] ?? ''), ...(others.length > 0 ? [rest] : [])],
    series: series.map(({ label, values }) => ({
      label,
      values: [...pick(values), ...(others.length > 0 ? [sum(values)] : [])]
    }))
  }
}
