import { expect, test } from 'vitest';
import type { InputSet } from '../../../../contract/input.ts';
import { DialogDrafts } from '../../../../src/canvas/overlay/dialog/dialog-drafts.ts';
import { DialogFiles } from '../../../../src/canvas/overlay/dialog/files/dialog-files.ts';
import type { Command, Dispatch } from '../../../../src/model/commands.ts';
import { failed } from '../../../../src/model/problem.ts';

/** Answers as the server does: sets by id, of which a run seals one. */
function fakeServer() {
  const sets = new Map<string, InputSet>();
  const dispatch: Dispatch = async (command: Command) => {
    if (command.type === 'input.create') {
      const id = `set-${sets.size + 1}`;
      const original = command.copyOf === undefined ? undefined : sets.get(command.copyOf);
      const kept = (original?.files ?? []).filter(({ from }) => !command.withoutRepository || from !== 'git');
      const git = command.withoutRepository ? null : (original?.git ?? null);
      const counted = { count: kept.length, bytes: kept.length };
      sets.set(id, { id, projectId: 'p', git, files: structuredClone(kept), ...counted, createdAt: '', sealedAt: null });
      return { ok: true, value: { inputSet: structuredClone(sets.get(id) as InputSet) } };
    }
    const set = 'setId' in command ? sets.get(command.setId) : undefined;
    if (!set) return failed('not_found');
    if (command.type !== 'input.read' && set.sealedAt !== null) return failed('input_sealed');
    if (command.type === 'input.addRepository') {
      if (set.git !== null) return failed('input_refused');
      set.git = { url: command.url, ref: 'main', sha: '1' };
      set.files.push({
        path: `${command.url}.ts`,
        mime: 'text/plain',
        bytes: 1,
        sha256: '',
        kind: 'text',
        encoding: null,
        replaced: 0,
        from: 'git',
      });
    }
    if (command.type === 'input.putFile') {
      if (command.path.endsWith('.png')) return failed('input_refused');
      set.files.push({
        path: command.path,
        mime: 'text/plain',
        bytes: 1,
        sha256: '',
        kind: 'text',
        encoding: null,
        replaced: 0,
        from: 'file',
      });
    }
    return { ok: true, value: { inputSet: structuredClone(set) } };
  };
  return { sets, dispatch };
}

const file = (name: string) => new File(['x'], name);
const added = (drafts: DialogDrafts) => expect.poll(() => drafts.isAddingFiles('d')).toBe(false);

test('G3.17 files are added to one set, and a refused one is listed with the reason until it is dismissed', async () => {
  const { dispatch, sets } = fakeServer();
  const drafts = new DialogDrafts(null, 'p');
  const files = new DialogFiles(drafts, dispatch);
  files.add('d', [file('a.txt'), file('logo.png'), file('b.txt')]);
  expect(drafts.isAddingFiles('d')).toBe(true);
  await added(drafts);
  expect([...sets.keys()]).toEqual(['set-1']);
  expect(files.of('d').set?.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
  const [refused] = files.of('d').added;
  expect(refused).toMatchObject({ name: 'logo.png', problem: { code: 'input_refused' } });
  files.dismiss('d', refused?.key ?? 0);
  expect(files.of('d').added).toEqual([]);
});

test('G3.17 files that could not be read are listed with the reason beside the added files', async () => {
  const { dispatch } = fakeServer();
  const drafts = new DialogDrafts(null, 'p');
  const files = new DialogFiles(drafts, dispatch);
  files.add('d', [file('shop/a.ts')], ['shop/b.ts']);
  await added(drafts);
  expect(files.of('d')).toMatchObject({
    set: { files: [{ path: 'shop/a.ts' }] },
    added: [{ name: 'shop/b.ts', problem: { code: 'dialog.fileUnreadable' } }],
    progress: { done: 1, all: 1 },
  });
  files.add('e', [], ['shop/c.ts']);
  expect(files.of('e').added).toMatchObject([{ name: 'shop/c.ts' }]);
});

test('G3.17 a file that is added after a run has used the set joins a copy of it, with its repository', async () => {
  const { dispatch, sets } = fakeServer();
  const drafts = new DialogDrafts(null, 'p');
  const files = new DialogFiles(drafts, dispatch);
  files.add('d', [file('a.txt')]);
  files.addRepository('d', { url: 'shop' });
  await added(drafts);
  (sets.get('set-1') as InputSet).sealedAt = '2026-01-15T09:00:00.000Z';
  files.add('d', [file('b.txt')]);
  await added(drafts);
  expect(drafts.inputSetId('d')).toBe('set-2');
  expect(files.of('d')).toMatchObject({ added: [], problem: null, set: { id: 'set-2', git: { url: 'shop' } } });
  expect(files.of('d').set?.files.map(({ path }) => path)).toEqual(['a.txt', 'shop.ts', 'b.txt']);
});

test('G3.17 a repository that is added after a run takes the place of the one before, beside the other files', async () => {
  const { dispatch, sets } = fakeServer();
  const drafts = new DialogDrafts(null, 'p');
  const files = new DialogFiles(drafts, dispatch);
  files.add('d', [file('a.txt')]);
  files.addRepository('d', { url: 'shop' });
  await added(drafts);
  (sets.get('set-1') as InputSet).sealedAt = '2026-01-15T09:00:00.000Z';
  files.addRepository('d', { url: 'bakery' });
  await added(drafts);
  expect(files.of('d')).toMatchObject({ added: [], problem: null, set: { id: 'set-2', git: { url: 'bakery' } } });
  expect(files.of('d').set?.files.map(({ path }) => path)).toEqual(['a.txt', 'bakery.ts']);
});
