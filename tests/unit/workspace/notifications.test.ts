import { afterEach, expect, test, vi } from 'vitest';
import { notify } from '../../../src/app/workspace/questions/notify.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser with a permission; `shown` are the notifications that it has shown. */
function browserWith(permission: NotificationPermission, visibilityState: DocumentVisibilityState) {
  const shown: { title: string; tag: string; onclick: (() => void) | null; isClosed: boolean }[] = [];
  class Shown {
    static permission = permission;
    onclick: (() => void) | null = null;
    isClosed = false;
    readonly title: string;
    readonly tag: string;
    constructor(title: string, { tag }: { tag: string }) {
      this.title = title;
      this.tag = tag;
      shown.push(this);
    }
    close() {
      this.isClosed = true;
    }
  }
  const focus = vi.fn();
  vi.stubGlobal('Notification', Shown);
  vi.stubGlobal('document', { visibilityState });
  vi.stubGlobal('window', { focus });
  return { shown, focus };
}

test('G2.03 a question is shown by the browser while the page is hidden; a press shows the page and opens it', () => {
  const { shown, focus } = browserWith('granted', 'hidden');
  const open = vi.fn();
  notify('Approval needs an answer', 'Plan a bakery', 'question-1', open);
  expect(shown).toMatchObject([{ title: 'Approval needs an answer', tag: 'question-1' }]);
  expect(open).not.toHaveBeenCalled();
  shown[0]?.onclick?.();
  expect([focus.mock.calls.length, open.mock.calls.length, shown[0]?.isClosed]).toEqual([1, 1, true]);
});

test('G2.03 nothing is shown without the permission, nor while the page is seen, nor where the browser has none', () => {
  const refused = browserWith('denied', 'hidden');
  notify('Approval', 'Task', 'one', () => {});
  const seen = browserWith('granted', 'visible');
  notify('Approval', 'Task', 'one', () => {});
  expect([refused.shown, seen.shown]).toEqual([[], []]);
  vi.stubGlobal('Notification', undefined);
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  expect(() => notify('Approval', 'Task', 'one', () => {})).not.toThrow();
});

test('K8.07 where the browser gets push messages, its service worker shows a question with the tag of the message about it', async () => {
  const { shown } = browserWith('granted', 'hidden');
  const showNotification = vi.fn(async () => {});
  const serviceWorker = { getRegistration: async () => ({ showNotification }) };
  vi.stubGlobal('navigator', { serviceWorker });
  notify('Approval', 'Task', 'question-1', () => {});
  const data = { path: '/test-project?question=question-1', questionId: 'question-1' };
  await expect.poll(() => showNotification.mock.calls).toEqual([['Approval', { body: 'Task', tag: 'question-1', data }]]);
  expect(shown).toEqual([]);
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => undefined } });
  notify('Approval', 'Task', 'question-2', () => {});
  await expect.poll(() => shown).toMatchObject([{ tag: 'question-2' }]);
});
