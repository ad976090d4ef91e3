import type { TestRunFailure } from '../../../contract/executions/test-run.ts';
import type { InstallNeeds, InstallPolicy } from '../../../contract/runner.ts';

/** A command with the files that it works on. */
export type RunnerJob = {
  /** Names the job for the runner's own log. */
  id: string;
  command: string;
  /** A ZIP. */
  archive: Uint8Array;
  /** How the base of the run differs from these files: a ZIP of what it has otherwise, null for nothing, and the paths that it lacks. */
  base?: { archive: Uint8Array | null; added: readonly string[] };
  /** The longest time of the command. */
  seconds: number;
  /** Keeps what one project has installed apart from others; null where nothing is to be kept. */
  project: string | null;
  install: InstallPolicy;
  /** Hosts beyond the operator's registries that a person has allowed the install step of this run. */
  hosts: readonly string[];
};

/** What the install steps of a run have asked a person for, once, and what became of it. `stepId`: the step that asked. */
export type InstallHosts = { stepId: string; hosts: string[]; state: 'open' | 'allowed' | 'refused' | 'expired' };

/** `needs`: hosts that the install step was refused. */
export type RunnerEnd = { exitCode: number } | { reason: TestRunFailure; needs?: InstallNeeds };

/** Returns the runner as it is connected now; null without one. A person may connect one while the server works. */
export type CurrentRunner = () => Promise<Runner | null>;

/**
 * Executes commands on another machine, which the operator has chosen. Each job has a folder of its own, which the runner removes, so a
 * job can be given again. A job that is aborted is ended by the runner, too.
 */
export type Runner = {
  /** Gives the log in pieces. Rejects only when the signal aborts. */
  execute: (job: RunnerJob, about: { signal: AbortSignal; onLog: (text: string) => void }) => Promise<RunnerEnd>;
};
