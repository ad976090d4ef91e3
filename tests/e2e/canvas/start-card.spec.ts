import { expect } from 'playwright/test';
import { act } from '../../support/browser/act.ts';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const words = translator('ru', 'triggers');
const onStart = translator('ru', 'start-triggers');
const actions = translator('ru', 'actions');
const ofConnect = translator('ru', 'connect');

test('L4.01 the start card offers triggers, which need a released team: the window leads to its release', async ({ page, playedApi }) => {
  await enterPlayed(page, playedApi);
  await new WorkspacePage(page).opened();
  await act(page, actions('name.addStart'));
  await page.getByRole('button', { name: onStart('offer') }).press('Enter');
  const dialog = page.getByRole('dialog', { name: ofConnect('words:connect') });
  await expect(dialog.getByText(words('noTeams'))).toBeVisible();
  await dialog.getByRole('button', { name: words('release') }).press('Enter');
  await expect(dialog.getByRole('tab', { name: ofConnect('door.call') })).toHaveAttribute('aria-selected', 'true');
  await expect(dialog.getByTestId('released-teams')).toBeVisible();
});
