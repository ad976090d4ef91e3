import type { Page } from 'playwright/test';

/** Does an action of the command palette by the keyboard, found by its name. */
export async function act(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}
