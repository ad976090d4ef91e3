/** A tool server that the operator lets the runs of all projects start, as a process of its own. */
export type OperatorServer = {
  name: string;
  /** The program's path. */
  command: string;
  args: readonly string[];
  /** The whole environment of the process. */
  environment: Readonly<Record<string, string>>;
};
