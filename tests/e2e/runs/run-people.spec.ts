import { expect, type Page } from 'playwright/test';
import type { Question } from '../../../contract/executions/question.ts';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const server = setUpSharedServer();

const words = translator('ru', 'questions');
const placeFlow = (page: Page) =>
  page
    .getByTestId('sidebar')
    .getByRole('button', { name: translate('ru', 'workspace', 'flow.featureReview') })
    .click();

/** Calls the server as the signed-in user of the page. */
const call = <T>(page: Page, path: string): Promise<T> =>
  page.evaluate(async (path) => {
    const response = await fetch(`/api${path}`, { headers: { authorization: `Bearer ${localStorage.getItem('accessToken')}` } });
    return (await response.json()) as never;
  }, path);

test('G2.01 G2.03 a run asks for an approval: the card, the list and the title say so, a half-written answer survives a reload, and the run goes on', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace } = await withCanvas(page, server.url, () => [dialog('task', 'Задача', 900)], []);
  await placeFlow(page);
  await expect(page.locator('[data-link-badge]')).toHaveCount(4);
  await workspace.startWith('Испечь хлеб');

  const badge = page.locator('[data-question-badge]');
  await expect(badge).toBeVisible({ timeout: 40_000 });
  await expect(page.getByTestId('questions-button')).toHaveAttribute('data-count', '1');
  await expect(page.getByTestId('run-asks')).toBeVisible();
  const marked = page
    .getByTestId('canvas-outline')
    .locator('[data-node-id]')
    .filter({ hasText: translate('ru', 'canvas', 'question.badge') });
  await expect(marked).toHaveCount(1);
  const title = translate('ru', 'content/nodes', 'person');
  await expect(page.getByTestId('question-announcer')).toHaveText(translate('ru', 'workspace', 'questions.opened', { title }));
  await expect.poll(() => page.title()).toMatch(/^\(1\) /);

  await badge.click();
  const comment = page.getByRole('dialog').getByLabel(words('comment'));
  // What sends the result back opens its words, and sends nothing without them.
  await page
    .getByRole('dialog')
    .getByRole('button', { name: translate('ru', 'content/nodes', 'case.change') })
    .click();
  await expect(page.getByRole('dialog').getByText(translate('ru', 'answers', 'problem.change'))).toBeVisible();
  await expect(comment).toBeFocused();
  await comment.fill('Меньше соли');
  await page.reload();
  await page.getByTestId('questions-button').getByRole('button').click();
  await page.getByTestId('question-row').click();
  await expect(comment).toHaveValue('Меньше соли');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: translate('ru', 'content/nodes', 'case.approve') })
    .click();

  await expect(badge).toHaveCount(0);
  await expect(page.getByTestId('run-control').getByText(translate('ru', 'workspace', 'run.finished'), { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByTestId('questions-button')).toHaveAttribute('data-count', '0');
  const [question] = await call<Question[]>(page, '/question');
  expect(question).toMatchObject({
    state: 'answered',
    answer: { label: translate('ru', 'content/nodes', 'case.approve'), text: 'Меньше соли' },
  });
});
