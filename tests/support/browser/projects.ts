import { expect, type Page } from 'playwright/test';
import { type Language, translate } from './translate.ts';

/** The list that the project's name opens. */
export class Projects {
  readonly page: Page;
  readonly #language: Language;
  constructor(page: Page, language: Language = 'ru') {
    this.page = page;
    this.#language = language;
  }
  get panel() {
    return this.page.getByTestId('projects');
  }
  get heading() {
    return this.page.getByTestId('project-bar').getByRole('heading', { level: 1 });
  }
  row(name: string) {
    return this.page
      .getByRole('listitem')
      .filter({ has: this.page.locator('[data-project]') })
      .filter({ hasText: name });
  }
  async open() {
    await this.page.getByTestId('project-switcher').click();
    await expect(this.panel).toBeVisible();
  }
  async switchTo(name: string) {
    await this.open();
    await this.row(name).locator('[data-project]').click();
    await expect(this.heading).toHaveText(name);
  }
  async choose(name: string, action: 'rename' | 'archive' | 'restore' | 'remove') {
    await this.page.getByRole('button', { name: translate(this.#language, 'projects', 'more', { name }), exact: true }).click();
    await this.page.getByRole('menuitem', { name: translate(this.#language, 'projects', action), exact: true }).click();
  }
  async make(name: string) {
    await this.open();
    await this.panel.getByRole('button', { name: translate(this.#language, 'projects', 'new') }).click();
    await this.page.getByLabel(translate(this.#language, 'words', 'name'), { exact: true }).fill(name);
    await this.page.keyboard.press('Enter');
    await expect(this.heading).toHaveText(name);
  }
}
