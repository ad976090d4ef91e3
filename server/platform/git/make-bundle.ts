import { changeTree } from './change-tree.ts';
import { readCommit, writeCommit } from './commits.ts';
import type { BaseFile, GitLimits, NewCommit, TreeListing } from './git-messages.ts';
import { conflicted } from './merge/merge-file.ts';
import { mergeChanges } from './merge/next-tree.ts';
import { ObjectStore } from './packs/object-store.ts';
import { type GitHttpCall, openUploadPack } from './packs/upload-pack.ts';
import { resolveRef, Stopped } from './repository.ts';

type BundleTask = { from: { ref: string } | null; base: BaseFile[]; commit: NewCommit; limits: GitLimits };

/**
 * Makes a commit, and returns it as a bundle: a file that `git fetch` takes in the place of a repository. With `from` it needs a repository that has
 * the commit before; without, it holds that one too, made of `base`. `origin` lists the files that the run began with. The format: https://git-scm.com/docs/gitformat-bundle, version 2.
 */
export async function makeBundle(
  call: GitHttpCall,
  { from, base, commit, limits }: BundleTask,
  origin: () => Promise<TreeListing | null>,
): Promise<Uint8Array> {
  const objects = new ObjectStore();
  let parent: string | null = null;
  let parentTree: string | null = null;
  if (from) {
    const server = await openUploadPack(call);
    parent = resolveRef(server.refs, from.ref).sha;
    await objects.open({ server, sha: parent, depth: 1, limits });
    parentTree = readCommit(objects, parent)?.tree ?? null;
    if (parentTree === null) throw new Stopped('ref');
  } else if (base.length > 0) {
    const files = base.map(({ path, content, isExecutable }) => ({ path, before: null, after: content, isExecutable }));
    parentTree = changeTree(objects, null, files, true).oid;
    parent = writeCommit(objects, { tree: parentTree, parents: [], about: { ...commit, message: firstMessage } });
  }
  const changed =
    from === null || parentTree === null
      ? changeTree(objects, parentTree, commit.files, true)
      : await mergeChanges(objects, parentTree, commit.files, origin);
  if (changed.conflicts.length > 0) throw conflicted(changed.conflicts);
  if (changed.oid === parentTree) throw new Stopped('nothing');
  const sha = writeCommit(objects, { tree: changed.oid, parents: parent === null ? [] : [parent], about: commit });
  const head = [
    '# v2 git bundle',
    ...(from ? [`-${parent} `] : []),
    // `git fetch` without a name asks for it.
    `${sha} HEAD`,
    `${sha} refs/heads/${from ? commit.branch : 'main'}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\n')}\n\n`), objects.pack(sha)]);
}

const firstMessage = 'The files that the run began with\n';
