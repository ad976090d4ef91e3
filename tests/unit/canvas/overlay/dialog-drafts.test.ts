import { expect, test } from 'vitest';
import { DialogDrafts } from '../../../../src/canvas/overlay/dialog/dialog-drafts.ts';
import { done, failed, type Outcome } from '../../../../src/model/problem.ts';

const dialog = { id: 'd1', title: 'Магазин' };

function memory() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test('W2.12 a draft is restored after a reload, in its own project and dialog only', () => {
  const storage = memory();
  new DialogDrafts(storage, 'p1').write('d1', 'Выгрузка в CSV');
  expect(new DialogDrafts(storage, 'p1').read('d1')).toBe('Выгрузка в CSV');
  expect(new DialogDrafts(storage, 'p1').read('d2')).toBe('');
  expect(new DialogDrafts(storage, 'p2').read('d1')).toBe('');
});

test('W2.15 a text that was typed before the project was loaded becomes a draft of this project, and replaces no draft of another one', () => {
  const storage = memory();
  const loading = new DialogDrafts(storage, null);
  loading.write('console', '/');
  const opened = new DialogDrafts(storage, 'p1').takeOver(loading);
  expect(opened.read('console')).toBe('/');
  expect(new DialogDrafts(storage, 'p1').read('console')).toBe('/');
  expect(new DialogDrafts(storage, 'p2').takeOver(opened).read('console')).toBe('');
});

test('W4.06 an accepted text is cleared, unless it was changed while it was being sent', () => {
  const storage = memory();
  const drafts = new DialogDrafts(storage, 'p1');
  drafts.write('d1', 'first');
  drafts.sent('d1', 'first');
  expect(drafts.read('d1')).toBe('');
  expect(storage.items.size).toBe(0);

  drafts.write('d1', 'second');
  drafts.write('d1', 'second, and more');
  drafts.sent('d1', 'second');
  expect(drafts.read('d1')).toBe('second, and more');
});

test('W4.06 sending another task keeps the text of the form, and sending the text itself clears the form', async () => {
  const drafts = new DialogDrafts(memory(), 'p1');
  drafts.write('d1', ' Export orders ');
  expect(await drafts.send(dialog, async () => done, 'The goal')).toBe(true);
  expect(drafts.read('d1')).toBe(' Export orders ');
  const delivered: string[] = [];
  const deliver = async (task: string) => {
    delivered.push(task);
    return done;
  };
  expect(await drafts.send(dialog, deliver, 'Export orders')).toBe(true);
  expect(delivered).toEqual(['Export orders']);
  expect(drafts.read('d1')).toBe('');
  drafts.setAddingFiles('d1', true);
  expect(await drafts.send(dialog, () => expect.unreachable('The run would miss the files.'), 'The goal')).toBe(false);
});

test('G3.17 a message that is refused while files are added loses its problem when they are there', async () => {
  const drafts = new DialogDrafts(memory(), 'p1');
  drafts.write('d1', 'Исправь файл');
  drafts.setAddingFiles('d1', true);
  await drafts.send(dialog, () => expect.unreachable('The run would miss the files.'));
  expect(drafts.sending('d1').problem?.code).toBe('dialog.filesUnderWay');
  drafts.setAddingFiles('d1', false);
  expect(drafts.sending('d1').problem).toBeNull();
  expect(drafts.read('d1')).toBe('Исправь файл');

  await drafts.send(dialog, async () => failed('network'));
  drafts.setAddingFiles('d1', true);
  drafts.setAddingFiles('d1', false);
  expect(drafts.sending('d1').problem?.code).toBe('network');
});

test('W2.12 a draft that the storage refuses stays on the page', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const drafts = new DialogDrafts({ getItem: refuse, setItem: refuse, removeItem: refuse }, 'p1');
  drafts.write('d1', 'kept');
  expect(drafts.read('d1')).toBe('kept');
});

test('R31.01 a message whose form is unmounted while it is sent is sent once, and the form shows its problem when it is mounted again', async () => {
  const drafts = new DialogDrafts(null, 'p1');
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const delivered: string[] = [];
  const deliver = (text: string) => {
    delivered.push(text);
    return promise;
  };
  drafts.write('d1', 'Добавьте фильтр');
  const sent = drafts.send(dialog, deliver);
  expect(drafts.sending('d1')).toEqual({ isUnderWay: true, problem: null });
  await drafts.send(dialog, deliver);
  expect(delivered).toEqual(['Добавьте фильтр']);
  resolve({ ok: false, error: { code: 'network' } });
  await sent;
  expect(drafts.sending('d1')).toEqual({ isUnderWay: false, problem: { code: 'network' } });
  expect([drafts.read('d1'), drafts.sending('d2').problem]).toEqual(['Добавьте фильтр', null]);
  drafts.forgetProblem('d1');
  expect(drafts.sending('d1').problem).toBeNull();
  await drafts.send(dialog, async () => ({ ok: true, value: undefined }));
  expect(drafts.read('d1')).toBe('');
  await drafts.send(dialog, () => Promise.reject(new Error('The worker died')));
  expect(drafts.sending('d1').problem).toEqual({ code: 'engine.restarted' });
});

test('W2.12 W8.01 a refusal is reported when no form of its card is mounted, and only then', async () => {
  const reported: unknown[] = [];
  const drafts = new DialogDrafts(null, 'p1', (refusal) => reported.push(refusal));
  const refuse = async (): Promise<Outcome> => ({ ok: false, error: { code: 'dialog.autoStartOff' } });
  const removals = [drafts.addForm('d1'), drafts.addForm('d1'), drafts.addForm('d2')];
  await drafts.send(dialog, refuse);
  removals[0]?.();
  await drafts.send(dialog, refuse);
  expect(reported).toEqual([]);
  await drafts.send(dialog, () => {
    removals[1]?.();
    return refuse();
  });
  expect(reported).toEqual([{ dialogTitle: 'Магазин', problem: { code: 'dialog.autoStartOff' } }]);
  await drafts.send(dialog, async () => ({ ok: true, value: undefined }));
  expect(reported).toHaveLength(1);
});
