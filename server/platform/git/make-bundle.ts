import { packObjects, readCommit, writeCommit } from 'isomorphic-git';
import { changeTree } from './change-tree.ts';
import { authorOf } from './commit-author.ts';
import type { BaseFile, NewCommit, TreeListing } from './git-messages.ts';
import { conflicted } from './merge/merge-file.ts';
import { mergeChanges } from './merge/next-tree.ts';
import { fetchCommit, type Repository, readRefs, resolveRef, Stopped } from './repository.ts';

type BundleTask = { from: { ref: string } | null; base: BaseFile[]; commit: NewCommit };

/**
 * Makes a commit, and returns it as a bundle: a file that `git fetch` takes in the place of a repository. With `from` it needs a repository that has
 * the commit before; without, it holds that one too, made of `base`. The format: https://git-scm.com/docs/gitformat-bundle, version 2.
 */
export async function makeBundle(
  repository: Repository,
  { from, base, commit }: BundleTask,
  origin: () => Promise<TreeListing | null>,
): Promise<Uint8Array> {
  const { fs, dir } = repository;
  const author = authorOf(commit);
  const made: string[] = [];
  const addCommit = async (tree: string, parent: string[], message: string) => {
    const oid = await writeCommit({ fs, dir, commit: { message, tree, parent, author, committer: author } });
    made.push(oid);
    return oid;
  };
  let parent: string | null = null;
  let parentTree: string | null = null;
  if (from) {
    const refs = await readRefs(repository);
    parent = resolveRef(refs, from.ref).sha;
    await fetchCommit(repository, refs, parent);
    parentTree = (await readCommit({ fs, dir, oid: parent })).commit.tree;
  } else if (base.length > 0) {
    const files = base.map(({ path, content, isExecutable }) => ({ path, before: null, after: content, isExecutable }));
    const first = await changeTree(repository, null, files, true);
    made.push(...first.made);
    parentTree = first.oid;
    parent = await addCommit(first.oid, [], firstMessage);
  }
  const changed =
    from === null || parentTree === null
      ? await changeTree(repository, parentTree, commit.files, true)
      : await mergeChanges(repository, parentTree, commit.files, origin);
  if (changed.conflicts.length > 0) throw conflicted(changed.conflicts);
  if (changed.oid === parentTree) throw new Stopped('nothing');
  made.push(...changed.made);
  const sha = await addCommit(changed.oid, parent === null ? [] : [parent], commit.message);
  const { packfile } = await packObjects({ fs, dir, oids: [...new Set(made)] });
  if (!packfile) throw new Stopped('failed');
  const head = [
    '# v2 git bundle',
    ...(from ? [`-${parent} `, `${sha} refs/heads/${commit.branch}`] : [`${sha} HEAD`, `${sha} refs/heads/main`]),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\n')}\n\n`), packfile]);
}

const firstMessage = 'The files that the run began with\n';
