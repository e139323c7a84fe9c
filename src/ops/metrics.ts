import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Durations } from '../counts.js'
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
  for (const measure of MEASURES) register(measure, registry, () => moment)
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

function register(measure: Measure, registry: Registry, moment: () => Moment | null): void {
  const { name, help, labels = [] } = measure
  const options = { name, help, labelNames: [...labels], registers: [registry] }
  if (measure.kind === 'histogram') {
    new ReadHistogram(options, () => read(measure, moment()))
    return
  }
  if (measure.kind === 'counter') {
    const counter: Counter = new Counter({
      ...options,
      collect() {
        counter.reset()
        for (const [value, of = {}] of read(measure, moment())) counter.inc({ ...of }, value)
      }
    })
    return
  }
  const gauge: Gauge = new Gauge({
    ...options,
    collect() {
      gauge.reset()
      // Without labels a reset leaves a 0, and what tells nothing is to be absent.
      if (labels.length === 0) gauge.remove()
      for (const [value, of = {}] of read(measure, moment())) gauge.set({ ...of }, value)
    }
  })
}

function read<T>(measure: { read(moment: Moment): Iterable<T> }, moment: Moment | null): Iterable<T> {
  return moment ? measure.read(moment) : []
}

type DurationSamples = Iterable<readonly [durations: Durations, labels?: Readonly<Record<string, string>>]>

/** A histogram whose counts are kept elsewhere. The library has no way to give it some, but asks it by this method. */
class ReadHistogram extends Histogram {
  readonly #read: () => DurationSamples
  readonly #described: { readonly name: string; readonly help: string }

  constructor(options: ConstructorParameters<typeof Histogram>[0], read: () => DurationSamples) {
    super(options)
    this.#read = read
    this.#described = { name: options.name, help: options.help }
  }

  async getForPromString() {
    const { name, help } = this.#described
    const values = [...this.#read()].flatMap(([durations, labels = {}]) => {
      const { bounds, counts, count, sum_s } = durations
      let below = 0
      const buckets = bounds.map((bound, i) => {
        below += counts[i] ?? 0
        return { metricName: `${name}_bucket`, labels: { le: String(bound) }, sharedLabels: labels, value: below }
      })
      const rest = (metricName: string, value: number, own = {}) => ({
        metricName,
        labels: own,
        sharedLabels: labels,
        value
      })
      return [
        ...buckets,
        rest(`${name}_bucket`, count, { le: '+Inf' }),
        rest(`${name}_sum`, sum_s),
        rest(`${name}_count`, count)
      ]
    })
    return { name, help, type: 'histogram', values, aggregator: 'sum' }
  }
}
