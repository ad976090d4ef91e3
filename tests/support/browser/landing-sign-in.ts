import { expect, type Locator, type Page } from 'playwright/test';
import { type Language, translate } from './translate.ts';

export type Person = { name: string; email: string; password: string };

let people = 0;

/** A visitor without an account. */
export function newPerson(): Person {
  people++;
  return { name: 'Анна', email: `anna-${process.pid}-${Date.now()}-${people}@example.org`, password: 'семь раз отмерь' };
}

/** The landing page and its sign-in window, driven as a visitor does. */
export class LandingSignIn {
  readonly page: Page;
  readonly #url: string;
  readonly #language: Language;

  constructor(page: Page, url: string, language: Language = 'ru') {
    this.page = page;
    this.#url = url;
    this.#language = language;
  }

  async open(): Promise<this> {
    await this.page.goto(`${this.#url}/?lang=${this.#language}`);
    return this;
  }

  async openSignIn(): Promise<this> {
    await this.page
      .getByRole('banner')
      .getByRole('button', { name: translate(this.#language, 'common', 'signIn') })
      .click();
    await expect(this.dialog).toBeVisible();
    return this;
  }

  async openSignUp(): Promise<this> {
    await this.openSignIn();
    await this.dialog.getByRole('button', { name: this.#translate('signIn.toSignUp') }).click();
    return this;
  }

  /** Signs up, and resolves in the workspace. */
  async signUp(person: Person): Promise<void> {
    await this.openSignUp();
    await this.fillSignUp(person);
    await expect(this.page).toHaveURL(/\/test-project/);
  }

  async fillSignUp({ name, email, password }: Person): Promise<void> {
    await this.dialog.getByLabel(this.#translate('words:givenName'), { exact: true }).fill(name);
    await this.#field('email').fill(email);
    await this.#field('password').fill(password);
    await this.dialog.getByRole('button', { name: this.#translate('common:createAccount'), exact: true }).click();
  }

  async fillSignIn({ email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
    await this.#field('email').fill(email);
    await this.#field('password').fill(password);
    await this.dialog.getByRole('button', { name: this.#translate('common:signIn'), exact: true }).click();
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** The box with the reason why signing in or up failed. */
  get problem(): Locator {
    // A note of a full field is no problem of the form.
    return this.dialog.getByRole('alert').and(this.dialog.page().locator(':not([data-testid="left-out"] *)'));
  }

  #field(name: 'email' | 'password'): Locator {
    return this.dialog.getByLabel(this.#translate(`${name}.label`), { exact: true });
  }

  #translate(key: string, values?: Record<string, string | number>): string {
    return translate(this.#language, 'auth', key, values);
  }
}
