import { expect, type Page } from 'playwright/test';
import type { Session } from '../../../contract/account.ts';
import { newPerson, type Person } from './landing-sign-in.ts';
import type { Language } from './translate.ts';

/** Opens the workspace of a new account directly, without the landing page that `LandingSignIn` uses. Returns the account. */
export async function enterWorkspace(page: Page, url: string, language: Language = 'ru'): Promise<Person> {
  const { person, session } = await signUp(page, url, language);
  await enterAs(page, url, session, language);
  return person;
}

/** Makes a new account without a page. */
export async function signUp(page: Page, url: string, language: Language = 'ru'): Promise<{ person: Person; session: Session }> {
  const person = newPerson();
  const answer = await page.request.post(`${url}/api/auth/register`, { data: person, headers: { 'accept-language': language } });
  expect(answer.status()).toBe(201);
  return { person, session: (await answer.json()) as Session };
}

/** Opens the workspace of the user of these tokens. */
export async function enterAs(
  page: Page,
  url: string,
  { accessToken, refreshToken }: Pick<Session, 'accessToken' | 'refreshToken'>,
  language: Language = 'ru',
): Promise<void> {
  // Any file of the site will do: storage belongs to the origin.
  await page.goto(`${url}/boot.js`);
  await page.evaluate(
    (tokens) => {
      localStorage.setItem('accessToken', tokens.accessToken);
      localStorage.setItem('refreshToken', tokens.refreshToken);
    },
    { accessToken, refreshToken },
  );
  await page.goto(`${url}/test-project?lang=${language}`);
}
