/** What a durable body may do: everything with an effect goes through a step. */
export type Flow = {
  /** Runs `work` and remembers its answer. A body that is taken up again is given the remembered one; work that was cut off runs again. */
  step: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Waits, also across a restart (ms). */
  sleep: (ms: number) => Promise<void>;
};

/** Work that outlives the process: a body that was started is taken up again, from its last finished step, until it has returned. */
export type Durable = {
  /** Names a body. All are named before `launch`. */
  register: (name: string, body: (flow: Flow, input: string) => Promise<void>) => void;
  /** Begins, and takes up again what an earlier process left. */
  launch: () => Promise<void>;
  /** Starts a named body once per `id`: a second start of the same id does nothing. */
  start: (name: string, id: string, input: string) => Promise<void>;
  /** Those of `ids` that are known and have not ended. */
  underWay: (ids: string[]) => Promise<Set<string>>;
  /** Forgets what ended before `before`: nobody asks for it any more. */
  forget: (before: Date) => Promise<void>;
  /** Lets go of everything at once; what is under way stays for the next process. */
  close: () => Promise<void>;
};
