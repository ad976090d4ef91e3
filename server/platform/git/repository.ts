import { addRemote, fetch, type HttpClient, init, listServerRefs, type ServerRef } from 'isomorphic-git';
import type { GitFailure, GitFailureDetails } from './git-messages.ts';
import { memoryFiles } from './memory-files.ts';

/** A repository in the memory of the process. `url` is a stand-in: the parent puts the address in its place. */
export type Repository = { fs: ReturnType<typeof memoryFiles>; http: HttpClient; dir: string; url: string };

/** Ends the work of the process with a reason. */
export class Stopped extends Error {
  readonly reason: GitFailure;
  readonly details: GitFailureDetails;

  constructor(reason: GitFailure, details: GitFailureDetails = {}) {
    super(reason);
    this.reason = reason;
    this.details = details;
  }
}

export const repositoryUrl = 'http://repository';

export async function createRepository(http: HttpClient): Promise<Repository> {
  const repository = { fs: memoryFiles(), http, dir: '/repository', url: repositoryUrl };
  await init({ fs: repository.fs, dir: repository.dir, defaultBranch: 'main' });
  await addRemote({ fs: repository.fs, dir: repository.dir, remote: 'origin', url: repository.url });
  return repository;
}

export function readRefs({ http, url }: Repository): Promise<ServerRef[]> {
  return listServerRefs({ http, url, symrefs: true, peelTags: true, protocolVersion: 1 });
}

/** Returns the commit and the name that a reference means: a branch, a tag, a full name, or the commit of one of them. */
export function resolveRef(refs: readonly ServerRef[], asked: string | null): { sha: string; ref: string } {
  const head = refs.find(({ ref }) => ref === 'HEAD');
  const named = asked ?? head?.target ?? 'HEAD';
  const names = [named, `refs/heads/${named}`, `refs/tags/${named}`];
  const found =
    names.map((name) => refs.find(({ ref }) => ref === name)).find((one) => one !== undefined) ?? refs.find(({ oid }) => oid === asked);
  if (!found) throw new Stopped(refs.length === 0 ? 'not_found' : 'ref');
  return { sha: found.peeled ?? found.oid, ref: found.ref.replace(/^refs\/(heads|tags)\//, '') };
}

/** Fetches a commit of a branch or a tag: without its history, or with this many commits. */
export async function fetchCommit(repository: Repository, refs: readonly ServerRef[], sha: string, depth = 1): Promise<void> {
  const remoteRef = refs.find(({ oid, peeled }) => (peeled ?? oid) === sha)?.ref ?? sha;
  await fetch({ ...repository, ref: remoteRef, remoteRef, singleBranch: true, depth, tags: false });
}
