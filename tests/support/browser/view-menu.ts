import { expect, type Locator, type Page } from 'playwright/test';
import { translate } from './translate.ts';

type ViewItem = 'reset' | 'hand' | 'select' | 'snap' | 'map';
type ViewState = 'on' | 'off' | 'absent';

function itemOf(page: Page, name: ViewItem): Locator {
  const words = name === 'reset' ? translate('ru', 'workspace', 'zoom.reset') : translate('ru', 'workspace', `view.${name}`);
  return page
    .getByRole('menu')
    .getByRole(name === 'reset' ? 'menuitem' : name === 'hand' || name === 'select' ? 'menuitemradio' : 'menuitemcheckbox', {
      name: words,
    });
}

/** Chooses what the menu behind the zoom offers. */
export async function chooseInView(page: Page, name: ViewItem): Promise<void> {
  await page.getByTestId('view-menu').click();
  await itemOf(page, name).click();
  await expect(page.getByRole('menu')).toHaveCount(0);
}

/** Expects that the menu behind the zoom shows something as chosen or not, or does not offer it. */
export async function expectInView(page: Page, name: ViewItem, state: ViewState): Promise<void> {
  await page.getByTestId('view-menu').click();
  await expect(page.getByRole('menu')).toBeVisible();
  if (state === 'absent') await expect(itemOf(page, name)).toHaveCount(0);
  else await expect(itemOf(page, name)).toHaveAttribute('aria-checked', String(state === 'on'));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
}
