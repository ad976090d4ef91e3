import { expect, test } from 'vitest';
import { growsAccount } from '../../../../contract/route.ts';
import { routes } from '../../../../contract/routes.ts';

test.each(['account.exportLink', 'account.delete', 'account.takeBack', 'storage.free', 'question.answer', 'auth.logout'] as const)(
  'G8.02 a full account may call %s',
  (name) => {
    expect(growsAccount(routes[name])).toBe(false);
  },
);
