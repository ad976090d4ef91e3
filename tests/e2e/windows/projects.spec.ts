import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { Projects } from '../../support/browser/projects.ts';
import { translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W2.04 W7.01 the list of projects opens as a bottom sheet', async ({ page, playedApi }) => {
    await enterPlayed(page, playedApi, 'en');
    await new WorkspacePage(page, 'en').opened();
    const projects = new Projects(page, 'en');
    await projects.make('Polka bookstore');
    await projects.open();
    expect(await faults(page, '[data-testid="projects"]')).toEqual([]);
    await expect(projects.panel.getByRole('button', { name: translate('en', 'projects', 'new') })).toBeInViewport({ ratio: 1 });
    await projects
      .row(translate('en', 'content/seed', 'project.name'))
      .locator('[data-project]')
      .tap();
    await expect(projects.heading).toHaveText(translate('en', 'content/seed', 'project.name'));
    await page.goto(`${playedApi.url}/test-project?projectId=019e5f4d-0000-7000-8000-00000000dead`);
    await expect(page.getByTestId('workspace-failure').getByRole('textbox')).toBeInViewport({ ratio: 1 });
  });
});
