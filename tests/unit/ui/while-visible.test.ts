import { expect, test } from 'vitest';
import { whileVisible } from '../../../src/ui/while-visible.ts';

class Page extends EventTarget {
  visibilityState: DocumentVisibilityState;
  constructor(state: DocumentVisibilityState) {
    super();
    this.visibilityState = state;
  }
  become(state: DocumentVisibilityState) {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

test('D9.05 a timer runs while the page is visible, and none in a hidden page', () => {
  const page = new Page('hidden');
  let running = 0;
  const end = whileVisible(
    () => {
      running += 1;
      return () => {
        running -= 1;
      };
    },
    page as unknown as Document,
  );
  expect(running).toBe(0);
  page.become('visible');
  page.become('visible');
  expect(running).toBe(1);
  page.become('hidden');
  expect(running).toBe(0);
  page.become('visible');
  end();
  expect(running).toBe(0);
  page.become('visible');
  expect(running).toBe(0);
});
