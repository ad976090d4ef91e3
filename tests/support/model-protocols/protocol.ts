/** A call of a tool, as a model writes it. */
export type ScriptedCall = { id: string; name: string; arguments: string };

/** The format of a provider's answers: events of a stream, and bodies. */
export type Protocol = {
  begin: () => string;
  thought: (piece: string) => string;
  text: (piece: string) => string;
  /** Calls of tools and the end of the stream, with the arguments in pieces where the protocol has pieces. */
  calls: (calls: readonly ScriptedCall[]) => string;
  /** The end of the stream, with a usage of 20 and 10 tokens. */
  end: (why: 'stop' | 'length' | 'refused') => string;
  /** An error in the middle of a stream. */
  failure: (message: string) => string;
  /** An answer without a stream. */
  whole: (text: string) => object;
  /** Calls of tools without a stream. */
  wholeCalls: (text: string, calls: readonly ScriptedCall[]) => object;
  /** The body of an error response. */
  refusal: (status: number, message: string) => object;
};
