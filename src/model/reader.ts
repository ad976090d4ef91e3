import type { AuthConfig, Profile } from '../../contract/account.ts';
import type { Agent } from '../../contract/agent.ts';
import type { ExecutionFiles, FileComparison, PullRequest } from '../../contract/file.ts';
import type { Health } from '../../contract/health.ts';
import type { ResultItem } from '../../contract/result.ts';
import type { Thought } from '../../contract/thought.ts';
import type { Outcome } from './problem.ts';

/** Thoughts that are read at a time. W9.02 */
export const thoughtsAPage = 50;

/** Runs that the history holds at most, and that a search answers; older ones are found by a search alone. */
export const historyLength = 200;

/** What a search found: the newest of it, and how much there is in all. */
export type FoundResults = { items: ResultItem[]; total: number };

/** What can be looked at and is kept nowhere: too large for the workspace's state, and of use to whoever looks at it alone. */
export type Readable = {
  listFiles(executionId: string): Promise<ExecutionFiles>;
  readFile(executionId: string, path: string): Promise<string>;
  compareFile(executionId: string, path: string): Promise<FileComparison>;
  archiveFiles(executionId: string): Promise<Uint8Array>;
  readPatch(executionId: string): Promise<string>;
  readPullRequest(executionId: string): Promise<PullRequest>;
  listAgents(): Promise<Agent[]>;
  readHealth(): Promise<Health>;
  readProfile(): Promise<Profile>;
  readConfiguration(): Promise<AuthConfig>;
  /** A page of them, newest first, after those that are left out. */
  listThoughts(projectId: string, leftOut: number): Promise<Thought[]>;
  /** The project's runs with a text in request, result, summary or tags, newest first. */
  searchResults(projectId: string, text: string): Promise<FoundResults>;
};

export type ReadName = keyof Readable;
export type ReadOf<K extends ReadName> = Awaited<ReturnType<Readable[K]>>;

/** Reads from where the workspace's content is kept. */
export type Read = <K extends ReadName>(name: K, ...of: Parameters<Readable[K]>) => Promise<Outcome<ReadOf<K>>>;
