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
export function resolveRef(refs: readonly ServerRef[], asked: string | null): { sha: string; ref: string; isBranch: boolean } {
  const head = refs.find(({ ref }) => ref === 'HEAD');
  const named = asked ?? head?.target ?? 'HEAD';
  const names = [named, `refs/heads/${named}`, `refs/tags/${named}`];
  const found =
    names.map((name) => refs.find(({ ref }) => ref === name)).find((one) => one !== undefined) ?? refs.find(({ oid }) => oid === asked);
  if (!found) throw missing(refs, asked);
  const isBranch = asked !== found.oid && found.ref.startsWith(branchPrefix);
  return { sha: found.peeled ?? found.oid, ref: found.ref.replace(/^refs\/(heads|tags)\//, ''), isBranch };
}

const branchPrefix = 'refs/heads/';
const maxBranches = 5;

/** Says why a reference is missing. A repository without a commit lists none, or only a place for its capabilities. */
function missing(refs: readonly ServerRef[], asked: string | null): Stopped {
  if (refs.every(({ oid }) => /^0*$/.test(oid))) return new Stopped('empty');
  if (asked !== null) return new Stopped('ref');
  const branches = refs.filter(({ ref }) => ref.startsWith(branchPrefix)).map(({ ref }) => ref.slice(branchPrefix.length));
  return new Stopped('head', { branches: branches.slice(0, maxBranches) });
}

/** Returns the longest beginning of a page's path that is a branch, a tag or a commit of one: their names may have slashes. */
export function refOfPage(refs: readonly ServerRef[], page: string): string {
  const names = page.split('/');
  const beginnings = names.map((_, index) => names.slice(0, names.length - index).join('/'));
  const isRef = (name: string) =>
    refs.some(({ ref, oid, peeled }) => ref === `${branchPrefix}${name}` || ref === `refs/tags/${name}` || oid === name || peeled === name);
  return beginnings.find(isRef) ?? page;
}

/** Fetches a commit of a branch or a tag: without its history, or with this many commits. */
export async function fetchCommit(repository: Repository, refs: readonly ServerRef[], sha: string, depth = 1): Promise<void> {
  const remoteRef = refs.find(({ oid, peeled }) => (peeled ?? oid) === sha)?.ref ?? sha;
  const http = refs.some(({ ref }) => ref === 'HEAD') ? repository.http : withHead(repository.http, sha);
  await fetch({ ...repository, http, ref: remoteRef, remoteRef, singleBranch: true, depth, tags: false });
}

/** Adds a HEAD to the references that a server lists: without one, isomorphic-git 1.44 refuses every fetch. */
function withHead(http: HttpClient, sha: string): HttpClient {
  return {
    async request(asked) {
      const answer = await http.request(asked);
      if (asked.method === 'POST' || answer.statusCode !== 200) return answer;
      const parts: Uint8Array[] = [];
      for await (const part of answer.body ?? []) parts.push(part);
      const line = `${sha} HEAD\n`;
      const packet = `${(line.length + 4).toString(16).padStart(4, '0')}${line}`;
      // The list ends with an empty packet.
      const listed = Buffer.concat(parts);
      return { ...answer, body: oneOf(Buffer.concat([listed.subarray(0, -4), Buffer.from(packet), listed.subarray(-4)])) };
    },
  };
}

async function* oneOf(content: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield content;
}
