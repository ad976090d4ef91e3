import { expect, test } from 'vitest';
import { fullCycleFlow, teamRoles } from '../../../contract/flow-templates.ts';
import enAuth from '../../../locales/en/auth.json' with { type: 'json' };
import enServer from '../../../locales/en/content/server.json' with { type: 'json' };
import enLanding from '../../../locales/en/landing.json' with { type: 'json' };
import enOffer from '../../../locales/en/offer.json' with { type: 'json' };
import ruAuth from '../../../locales/ru/auth.json' with { type: 'json' };
import ruServer from '../../../locales/ru/content/server.json' with { type: 'json' };
import ruLanding from '../../../locales/ru/landing.json' with { type: 'json' };
import ruOffer from '../../../locales/ru/offer.json' with { type: 'json' };
import { claims, integrations } from '../../../src/landing/sections/claims.ts';

test('D5.06 as many agents stand on the canvas of a new account as page, sign-up and welcome letter say', () => {
  const placed = fullCycleFlow.agents.filter(({ type }) => type === 'agent').length;
  expect(claims.agentsOnCanvas).toBe(placed);
  expect([placed, Object.keys(teamRoles).length]).toEqual([6, 7]);
  for (const text of [enAuth.signUp.hint, enOffer.pricing.today, enServer['mail.welcome.text']]) expect(text).toMatch(/six agents/i);
  for (const text of [ruAuth.signUp.hint, ruOffer.pricing.today, ruServer['mail.welcome.text']]) expect(text).toMatch(/шесть агентов/i);
});

test('D5.06 existing features are called ready, and only missing features are called planned', () => {
  expect(integrations.filter(({ ready }) => ready).map(({ key }) => key)).toEqual(['code', 'tools', 'tests', 'issues', 'api']);
  expect(integrations.filter(({ ready }) => !ready).map(({ key }) => key)).toEqual(['chats', 'design']);
});

test('P2.11 D5.06 the plans call planned what no account has yet, and say that prompts need no plan', () => {
  for (const [{ features }, later, all] of [
    [enOffer.pricing, /planned/, /every account/],
    [ruOffer.pricing, /позже/, /любом аккаунте/],
  ] as const) {
    for (const text of [features.trial_one, features.trial_other, features.users_one, features.users_other]) expect(text).toMatch(later);
    expect(features.prompts).toMatch(all);
  }
});

test('D5.06 no headline has a hyphen at which a word would break', () => {
  const headlines = [enLanding, enOffer, ruLanding, ruOffer].flatMap((texts) => titlesOf(texts));
  expect(headlines.length).toBeGreaterThan(60);
  expect(headlines.filter((title) => /\p{L}-\p{L}/u.test(title))).toEqual([]);
});

/** All texts of an area whose key says that they are titles. */
function titlesOf(texts: object): string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    if (typeof value === 'object') return titlesOf(value);
    return /^title/i.test(key) ? [String(value)] : [];
  });
}
