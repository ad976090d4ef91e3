import { expect, test } from 'vitest';
import { writeCommit } from '../../../../server/platform/git/commits.ts';
import type { FromGitProcess } from '../../../../server/platform/git/git-messages.ts';
import { bytesInMemory } from '../../../../server/platform/git/packs/answer-bytes.ts';
import { ObjectStore } from '../../../../server/platform/git/packs/object-store.ts';
import { flushPacket, packet } from '../../../../server/platform/git/packs/packet-lines.ts';
import type { GitHttpCall } from '../../../../server/platform/git/packs/upload-pack.ts';
import { sendTree } from '../../../../server/platform/git/send-tree.ts';
import { fileMode, folderMode, writeEntries } from '../../../../server/platform/git/tree-entries.ts';

/** Returns what is sent of a tree that a hostile server gives. */
async function sent(makeTree: (objects: ObjectStore) => string): Promise<FromGitProcess[]> {
  const objects = new ObjectStore();
  const about = { message: 'x', seconds: 1, author: null };
  const sha = writeCommit(objects, { tree: makeTree(objects), parents: [], about });
  const channel = Buffer.concat([Buffer.from([1]), objects.pack(sha)]);
  const length = (channel.length + 4).toString(16).padStart(4, '0');
  const pack = Buffer.concat([packet('packfile'), Buffer.from(length), channel, flushPacket]);
  const headers = { 'content-type': 'application/x-git-upload-pack-advertisement' };
  const call: GitHttpCall = async (path, _method, _headers, body) => {
    const isFetch = body?.includes('command=fetch') ?? false;
    const lines = path.startsWith('/info') ? ['version 2', 'fetch='] : [`${sha} HEAD`];
    return { status: 200, headers, body: bytesInMemory(isFetch ? pack : Buffer.concat([...lines.map(packet), flushPacket])) };
  };
  const messages: FromGitProcess[] = [];
  const ask = async (message: FromGitProcess) => {
    messages.push(message);
    return [];
  };
  const limits = { bytes: 1_000_000, files: 10, fileBytes: 1_000 };
  await sendTree({ call, ask }, { kind: 'task', work: 'fetch', ref: null, page: null, paths: [], limits });
  return messages;
}

const nothing = 'a'.repeat(40);

test('a tree of folders without files that stand in each other many times is refused as too large', async () => {
  const makeTree = (objects: ObjectStore) => {
    let oid = writeEntries(objects, []);
    const entries = () => [...'0123456789'].map((name) => ({ mode: folderMode, raw: Buffer.from(name), oid }));
    for (let depth = 0; depth < 50; depth += 1) oid = writeEntries(objects, entries());
    return oid;
  };
  await expect(sent(makeTree)).rejects.toThrow('too_large');
});

test('a path that is too long for an index is reported by its beginning', async () => {
  const name = (length: number) => ({ mode: fileMode, raw: Buffer.from('ы'.repeat(length)), oid: nothing });
  const [message] = await sent((objects) => writeEntries(objects, [name(500), name(501), name(3_000)]));
  const told = { path: `${'ы'.repeat(150)}…`, reason: 'path_too_long' };
  expect(message).toMatchObject({ kind: 'tree', files: [{ path: 'ы'.repeat(500), oid: nothing }, told, told] });
});
