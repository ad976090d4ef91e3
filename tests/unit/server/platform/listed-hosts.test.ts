import { expect, test } from 'vitest';
import { isListedHost, isTooWide } from '../../../../server/platform/egress/listed-hosts.ts';

test.each(['*.github.io', '*.co.uk', '*.com', '*.msk.ru', '*.xn--p1ai', '*.s3.amazonaws.com', '*.foo.ck', '*.github.io:8443'])(
  'G8.25 %s would open hosts of strangers',
  (listed) => {
    expect(isTooWide(listed)).toBe(true);
    expect(isListedHost(`evil${listed.slice(1)}`, [listed])).toBe(false);
  },
);

test.each(['example.com', 'github.io', '*.example.com', '*.bakery.github.io', '*.internal', '*.corp.example.co.uk', 'localhost:5173'])(
  'G8.25 %s opens no host of a stranger',
  (listed) => expect(isTooWide(listed)).toBe(false),
);

test.each([
  ['docs.example.com', '*.example.com', true],
  ['a.b.example.com', '*.example.com', true],
  ['docs.example.com:8443', '*.example.com:8443', true],
  ['docs.example.com:8443', '*.example.com', false],
  ['example.com', '*.example.com', false],
  ['badexample.com', '*.example.com', false],
  ['wiki.corp', '*.corp', true],
  ['wiki.team.internal', '*.internal', true],
  // Below the name of a company that gives names away.
  ['evil.s3.amazonaws.com', '*.amazonaws.com', false],
  ['docs.aws.amazon.com', '*.amazon.com', true],
  ['pages.bakery.github.io', '*.bakery.github.io', true],
  ['other.github.io', '*.bakery.github.io', false],
] as const)('G8.25 %s under %s: %s', (host, listed, isListed) => expect(isListedHost(host, [listed])).toBe(isListed));
