/** What one socket, and one account over all its sockets on a node, may ask of the server. More closes the socket with 1008. */
export const socketLimits = {
  /** Messages, pings and pongs of one socket. A long message counts as several. */
  socket: { perSecond: 50, burst: 200 },
  /** The same of all sockets of an account on one node. */
  account: { perSecond: 200, burst: 2_000 },
  /** A message counts once for so many bytes, since parsing it costs time. */
  bytesOfMessage: 384,
  /** Largest message (bytes); a larger one closes with 1009. */
  maxMessageBytes: 64 * 1024,
  /** What a message may hold: the last events of 1,000 executions, and little else. */
  json: { values: 2_000, depth: 4 },
  /** Parts of one message; more close with 1008. */
  maxFragments: 1_024,
  /** How long a message that has begun may take (ms); it is closed between one and two times that. */
  unfinishedMs: 10_000,
  /** Open sockets and event streams of one account on one node. The benchmark shows that a node serves as many. */
  connectionsPerAccount: 1_000,
  /** How long a request may take to send its headers (ms), an upgrade's too. */
  headersMs: 20_000,
  /** How long a client that was closed may take to answer before its connection is cut (ms). */
  goodbyeMs: 1_000,
  /** From the close frame for a client that exceeds its limits to the cut: a busy client has time to read why (ms). */
  abuseGoodbyeMs: 5_000,
} as const;
