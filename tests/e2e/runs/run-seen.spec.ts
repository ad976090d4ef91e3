import { expect, type Page } from 'playwright/test';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const server = setUpSharedServer();

const words = translator('ru', 'canvas');
const link = (page: Page, id: string) => page.locator(`[data-link-id="conn-${id}"]`);
const card = (page: Page, id: string) => page.locator(`[data-testid="canvas-outline"] [data-node-id="${id}"]`);

/** A writer whose text a reviewer sends back or accepts, an editor who gets what is accepted, and one who works when the editor fails. */
const review = (page: Page) =>
  withCanvas(
    page,
    server.url,
    (agent) => [
      dialog('task', 'Задача', 200),
      agent(0, 'writer', 200),
      { ...agent(1, 'reviewer', 200), x: 800 },
      { ...agent(2, 'editor', 200), x: 1_240 },
      { ...agent(3, 'rescuer', 460), x: 1_240 },
    ],
    [
      ['task', 'writer'],
      ['writer', 'reviewer'],
      ['reviewer', 'writer', { label: 'доработать', maxRounds: 3 }],
      ['reviewer', 'editor', { label: 'принято' }],
      ['reviewer', 'rescuer', { onFailure: true }],
    ],
  );

test('G1.02 G1.03 the list for screen readers and the links’ labels say which links a run took, and the round of how many', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace, thrown } = await review(page);
  await workspace.write('Напиши тост');
  await workspace.send();
  await expect(link(page, 'writer-reviewer')).toHaveAttribute('data-in-run', 'pending');
  await workspace.runEnds('finished');
  await expect(link(page, 'writer-reviewer')).toContainText(words('link.inRun.taken'));
  await expect(link(page, 'reviewer-editor')).toContainText(`принято, ${words('link.inRun.taken')}`);
  await expect(link(page, 'reviewer-rescuer')).toContainText(words('link.inRun.dead'));
  const second = words('card.roundOf', { amount: 2, total: 3 });
  await expect(link(page, 'reviewer-writer')).toContainText(`${words('link.inRun.taken')}, ${second}`);
  await expect(card(page, 'writer')).toContainText(second);
  const badge = page.locator('[data-link-badge="conn-reviewer-writer"]');
  await expect(badge).toContainText(`доработать · ${second}`);
  await expect(badge).toHaveAttribute('aria-label', new RegExp(words('link.inRun.taken')));
  await expect(page.locator('[data-link-badge="conn-reviewer-rescuer"]')).toHaveAttribute('data-in-run', 'dead');

  await page.reload();
  await workspace.opened();
  await expect(link(page, 'reviewer-rescuer')).toHaveAttribute('data-in-run', 'dead');
  await expect(link(page, 'reviewer-writer')).toContainText(second);
  expect(thrown).toEqual([]);
});

test('G1.04 the frame of a group with a list counts its items in a run, and its card is one', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  const group: CanvasNode = {
    ...{ id: 'team', type: 'group', title: 'Переводы', x: 760, y: 140, width: 380, height: 260 },
    forEach: { onFailure: 'stop' },
  };
  const { workspace, thrown } = await withCanvas(
    page,
    server.url,
    (agent) => [dialog('task', 'Задача', 200), agent(0, 'planner', 200), group, { ...agent(1, 'translator', 200), x: 800 }],
    [
      ['task', 'planner'],
      ['planner', 'translator'],
    ],
  );
  await workspace.write('Переведи меню');
  await workspace.send();
  await workspace.runEnds('finished');
  await workspace.openConsole();
  await expect(
    workspace
      .messages()
      .filter({ hasText: translate('ru', 'errors', 'step.item', { item: 2 }) })
      .first(),
  ).toBeVisible();
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.summary') }).click();
  await expect(page.getByTestId('lane')).toHaveCount(2);
  await expect(page.getByTestId('lane').last()).toContainText(/· \d+ пункт/);
  const counted = /пунктов: (\d+) из \1/;
  await expect(card(page, 'team')).toContainText(counted);
  await expect(card(page, 'translator')).toContainText(counted);
  await expect(page.locator('[data-testid="canvas-outline"] [data-node-type="agent"]')).toHaveCount(2);
  expect(thrown).toEqual([]);
});
