import type { ServerResponse } from 'node:http'
import { type EventStreamOptions, openEventStream } from '../sse.js'
import { finalEvents, type StepEvent, streamEvents } from './events.js'
import { joinSignals } from './limit.js'
import { runStep, type Step } from './loop.js'
import type { Turn } from './messages.js'
import type { Outcome } from './outcome.js'

export interface StreamedStep {
  readonly turn: Turn
  readonly step: Omit<Step, 'emit'>
  /**
   * Records what the step has used, before the client is told of its end: a client that asks for its usage then finds
   * this step in it. Where it fails, the client is told that the step has, and the error is thrown once the stream has ended.
   */
  settle(outcome: Outcome): Promise<void>
}

/**
 * Answers with a step as a stream of events, from the headers to the end of the body. A client that leaves, like
 * `step.signal`, aborts what is on its way to the provider; what was used up to then is settled all the same.
 */
export async function streamStep(
  response: ServerResponse,
  { turn, step, settle }: StreamedStep,
  options?: EventStreamOptions
): Promise<Outcome> {
  const stream = openEventStream(response, options)
  const emit = async (event: StepEvent) => {
    for (const part of streamEvents(turn, event)) await stream.send(part)
  }
  const ended = joinSignals(step.signal, stream.left)
  const outcome = await runStep({ ...step, signal: ended.signal, emit })
  ended.dispose()
  try {
    await settle(outcome)
  } catch (error) {
    await stream.end(streamEvents(turn, NOT_RECORDED))
    throw error
  }
  await stream.end(finalEvents(outcome).flatMap((event) => streamEvents(turn, event)))
  return outcome
}

const NOT_RECORDED: StepEvent = {
  type: 'turn.error',
  message: 'What this step used could not be recorded. Try again in a moment.'
}
