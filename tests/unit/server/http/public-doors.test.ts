import { expect, test } from 'vitest';
import type { z } from 'zod';
import { usualBody } from '../../../../contract/body-limits.ts';
import type { Route } from '../../../../contract/route.ts';
import { type RouteName, routes } from '../../../../contract/routes.ts';
import { limitRules } from '../../../../server/http/limits/rate-limits.ts';
import { largestBody } from '../../../support/hostile/largest-body.ts';

/** What each public write leaves on the server: its body, or something else of a fixed size. A new one needs a line here. */
const leaves: Partial<Record<RouteName, 'its body' | { other: string }>> = {
  'auth.register': 'its body',
  'lead.create': 'its body',
  'auth.login': { other: 'a session' },
  'auth.refresh': { other: 'the session with another token' },
  'auth.logout': { other: 'nothing: it ends a session' },
  'auth.forgotPassword': { other: 'a token for an account that exists' },
  'auth.resetPassword': { other: 'a hash in the place of another' },
  'auth.verifyEmail': { other: 'a mark of an account' },
  'questionLink.answer': { other: 'the one answer of a question, which goes on with a run of the account of the link' },
};
const daySeconds = 24 * 60 * 60;
/** What one address may leave on the server in a day without an account (bytes). */
const maxBytesADay = 64 * 1024 * 1024;

const publicWrites = (Object.entries(routes) as [RouteName, Route][]).filter(
  ([, { auth, method }]) => auth === 'public' && method !== 'GET',
);

test('G8.01 each public call has a rate and a largest body, which bound what a stranger can store in a day', () => {
  expect(Object.keys(leaves).toSorted()).toEqual(publicWrites.map(([name]) => name).toSorted());
  for (const [name, { limit, body, bodyLimits }] of publicWrites) {
    if (name === 'auth.logout') continue;
    const rule = limitRules[`${limit}.address` as keyof typeof limitRules];
    expect(rule, `${name} has a rate for each address`).toBeDefined();
    if (leaves[name] !== 'its body') continue;
    const longest = largestBody(body as z.ZodType, bodyLimits ?? usualBody, 'texts', {});
    expect(longest.length * rule.points * (daySeconds / rule.duration), name).toBeLessThan(maxBytesADay);
  }
});
