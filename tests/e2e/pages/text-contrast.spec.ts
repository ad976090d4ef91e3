import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';

test.use({ deviceScaleFactor: 1 });

test('W9.06 a pale text on a gradient is a violation, and a dark one is not', { tag: '@rest' }, async ({ page }) => {
  const line = (color: string) => `<p style="color:${color}; background: linear-gradient(#fff, #eee)">A text on a gradient</p>`;
  const content = (color: string) =>
    page.setContent(`<html lang="en"><head><title>T</title></head><body><main><h1>Title</h1>${line(color)}</main></body></html>`);
  await content('#111');
  expect(await faults(page)).toEqual([]);
  await content('#bbb');
  expect(await faults(page)).toEqual([expect.stringContaining('color-contrast on pixels: p')]);
});
