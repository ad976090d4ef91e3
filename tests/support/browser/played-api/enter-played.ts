import type { Page } from 'playwright/test';
import { enterAs } from '../enter-workspace.ts';
import type { Language } from '../translate.ts';
import { answersOf, makeAccount, type PlayedAccount } from './new-account.ts';
import type { PlayedApi } from './played-api.ts';

/** Opens the workspace of a new account without a server. Returns the account, whose changes the next calls see. */
export async function enterPlayed(page: Page, api: PlayedApi, language: Language = 'ru'): Promise<PlayedAccount> {
  const account = await makeAccount(language);
  api.answer(answersOf(account));
  await enterAs(page, api.url, account.session, language);
  return account;
}
