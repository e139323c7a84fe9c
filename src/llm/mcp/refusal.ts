/** What the hub refuses of a tool server. The message holds nothing secret: the model and the person may read it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The server did not take a message, probably because it does not know the session, so that it may be sent again. */
export class SessionGone extends Error {
  override readonly name = 'SessionGone'
}
