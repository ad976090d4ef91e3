import type { GitFailure, GitFailureDetails } from './git-messages.ts';

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

/** A reference that a server lists. `target`: the one that a symbolic one means. `peeled`: the commit of a tag that is an object. */
export type ServerRef = { oid: string; ref: string; target?: string | undefined; peeled?: string | undefined };

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
