import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Durations } from '../lib/histogram.js'
import { MEASURES, type Measure, type Moment } from './measures.js'

/** The metrics of a process, as Prometheus reads them. */
export interface Metrics {
  readonly contentType: string
  /** All of them as they are now. Whoever asks at the same time shares one answer. */
  text(): Promise<string>
  /** The names of all there may be. */
  readonly names: readonly string[]
}

/** Makes the metrics that are read from these moments, with those of the process: processor, memory, event loop. */
export function createMetrics(momentNow: () => Promise<Moment>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  let moment: Moment | null = null
  for (const measure of MEASURES) new ReadMetric(measure, registry, () => moment)
  let asked: Promise<string> | null = null
  const read = async () => {
    moment = await momentNow()
    return registry.metrics()
  }
  return {
    contentType: registry.contentType,
    names: registry.getMetricsAsArray().map(({ name }) => name),
    text: () => {
      asked ??= read().finally(() => {
        asked = null
      })
      return asked
    }
  }
}

/** A metric whose values are kept elsewhere. The library has no way to give it some, but asks it by this method. */
class ReadMetric extends Gauge {
  readonly #measure: Measure
  readonly #moment: () => Moment | null

  constructor(measure: Measure, registry: Registry, moment: () => Moment | null) {
    super({ name: measure.name, help: measure.help, registers: [registry] })
    this.#measure = measure
    this.#moment = moment
  }

  async getForPromString() {
    const { name, help, kind } = this.#measure
    const moment = this.#moment()
    return { name, help, type: kind, values: moment ? valuesOf(this.#measure, moment) : [], aggregator: 'sum' }
  }
}

function valuesOf(measure: Measure, moment: Moment) {
  if (measure.kind !== 'histogram')
    return Array.from(measure.read(moment), ([value, labels = {}]) => ({ value, labels }))
  return Array.from(measure.read(moment), ([durations, labels = {}]) =>
    series(durations).map(([suffix, value, own]) => ({
      metricName: `${measure.name}_${suffix}`,
      labels: own,
      sharedLabels: labels,
      value
    }))
  ).flat()
}

/** What Prometheus has of durations: how many took at most as long as each bound, the sum of all, and their number. */
function series({ bounds, counts, count, sum_s }: Durations) {
  let below = 0
  const buckets = bounds.map((bound, i) => {
    below += counts[i] ?? 0
    return ['bucket', below, { le: String(bound) }] as const
  })
  return [...buckets, ['bucket', count, { le: '+Inf' }], ['sum', sum_s, {}], ['count', count, {}]] as const
}
