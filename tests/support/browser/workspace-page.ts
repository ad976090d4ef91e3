import { expect, type Locator, type Page } from 'playwright/test';
import { type Language, translate } from './translate.ts';

export type Card = { id: string; title: string; type: string; state: string };

/** The workspace as a user with a screen and a keyboard sees it. */
export class WorkspacePage {
  readonly page: Page;
  readonly #language: Language;

  constructor(page: Page, language: Language = 'ru') {
    this.page = page;
    this.#language = language;
  }

  /** Resolves when the canvas has cards. */
  async opened(): Promise<this> {
    await expect(this.cards().first()).toBeAttached({ timeout: 90_000 });
    return this;
  }

  /** The cards of the canvas, in the order of a screen reader. */
  cards(): Locator {
    return this.page.getByTestId('canvas-outline').locator('[data-node-id]');
  }

  card(title: string): Locator {
    return this.cards().filter({ hasText: title });
  }

  links(): Locator {
    return this.page.getByTestId('canvas-outline').locator('[data-link-id]');
  }

  /** The text of the canvas's live region. */
  get outlineSays(): Locator {
    return this.page.getByTestId('canvas-outline').getByRole('status');
  }

  async readCards(): Promise<Card[]> {
    return this.cards().evaluateAll((lines) =>
      lines.map((line) => ({
        id: line.getAttribute('data-node-id') ?? '',
        title: (line.textContent ?? '').split(',')[0] ?? '',
        type: line.getAttribute('data-node-type') ?? '',
        state: line.getAttribute('data-state') ?? '',
      })),
    );
  }

  /** Ids of the two ends of every link. */
  async readLinks(): Promise<{ from: string; to: string }[]> {
    return this.links().evaluateAll((lines) =>
      lines.map((line) => ({ from: line.getAttribute('data-from') ?? '', to: line.getAttribute('data-to') ?? '' })),
    );
  }

  /** Removes a card from the canvas with the keyboard, and resolves when the server has saved it. */
  async removeCard(title: string): Promise<void> {
    await this.card(title).focus();
    await this.page.keyboard.press('Delete');
    await expect(this.card(title)).toHaveCount(0);
  }

  /** Opens a section of the sidebar that is closed at first. */
  async openSection(name: 'users' | 'beginnings' | 'insert'): Promise<void> {
    const title = translate(this.#language, 'workspace', `sidebar.${name}`);
    await this.page.getByTestId('sidebar').getByRole('button', { name: title, exact: true, expanded: false }).click();
  }

  async saved(): Promise<void> {
    await expect(this.page.getByTestId('save-status')).toHaveAttribute('data-status', 'saved');
  }

  /** The form of the first dialog. Where its card is too small for one, the bar below the canvas takes its place. */
  get form(): Locator {
    return this.page.locator('[data-dialog-id], [data-message-bar]').first();
  }

  get messageBox(): Locator {
    return this.form.locator('textarea');
  }

  /** The reason, below the message box, why a message was not accepted. */
  get messageProblem(): Locator {
    return this.form.getByRole('alert');
  }

  async write(task: string): Promise<void> {
    await this.messageBox.fill(task);
  }

  async send(): Promise<void> {
    const send = this.form.getByRole('button', { name: this.#translate('common', 'send') });
    await send.or(this.form.getByRole('button', { name: this.#translate('workspace', 'run.start'), exact: true })).click();
  }

  get runControl(): Locator {
    return this.page.getByTestId('run-control');
  }

  async pressStart(): Promise<void> {
    await this.runControl.getByRole('button', { name: this.#translate('workspace', 'run.start'), exact: true }).click();
  }

  /** Writes a task in the bar below the canvas, and presses Start beside it. */
  async startWith(task: string): Promise<void> {
    await this.runControl.getByRole('textbox').fill(task);
    await this.pressStart();
  }

  /** Chooses what is behind "…" of the run. */
  async ofRun(key: 'again' | 'replay' | 'lookBack' | 'clear' | 'write'): Promise<void> {
    await this.runControl.getByTestId('run-menu').click();
    await this.page
      .getByRole('menuitem', { name: this.#translate('workspace', key === 'again' ? 'words:runAgain' : `run.${key}`), exact: true })
      .click();
  }

  /** Chooses what is behind "…" of the project. */
  async ofProject(name: string): Promise<void> {
    await this.page.getByTestId('project-menu').click();
    await this.page.getByRole('menuitem', { name, exact: true }).click();
  }

  async runEnds(outcome: 'finished' | 'failed' | 'cancelled', { within = 60_000 } = {}): Promise<void> {
    await expect(this.runControl).toContainText(this.#translate('workspace', `run.${outcome}`), { timeout: within });
  }

  async openConsole(): Promise<void> {
    const closed = this.page
      .getByTestId('console-bar')
      .getByRole('button', { name: this.#translate('console', 'open') })
      .first();
    await expect(closed.or(this.messages().first())).toBeVisible();
    if (await closed.isVisible()) await closed.click();
    await this.page.getByRole('tab', { name: this.#translate('console', 'tabs.communication') }).click();
  }

  messages(): Locator {
    return this.page.getByTestId('message');
  }

  /** The messages of agents and users, without the system's lines. */
  said(): Locator {
    return this.page.locator('[data-testid="message"][data-kind="message"]');
  }

  /** The messages of one author; the name is the first word of the line, after the time. */
  saidBy(title: string): Locator {
    return this.said().filter({ hasText: new RegExp(`^[\\d:.\\s]+${title}`) });
  }

  /** Every line of the conversation, in full. */
  async readSaid(): Promise<string[]> {
    return this.said().allTextContents();
  }

  /** Opens a message next to the list. */
  async readMessageOf(title: string): Promise<void> {
    await this.saidBy(title).click();
    await expect(this.openMessage).toBeVisible();
  }

  get openMessage(): Locator {
    return this.page.getByTestId('message-details');
  }

  async openHistory(): Promise<void> {
    await this.page.getByRole('button', { name: this.#translate('workspace', 'bar.history'), exact: true }).click();
    await expect(this.page.getByTestId('history')).toBeVisible();
  }

  historyItems(): Locator {
    return this.page.getByTestId('history').getByTestId('history-item');
  }

  /** The banners of the workspace. One that is leaving is inert, and no longer there for people. */
  banners(): Locator {
    return this.page.locator('[data-testid="banner"]:not([inert])');
  }

  #translate(area: string, key: string, values?: Record<string, string | number>): string {
    return translate(this.#language, area, key, values);
  }
}
