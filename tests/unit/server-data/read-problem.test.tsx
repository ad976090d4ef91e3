import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { beforeAll, expect, test } from 'vitest';
import errors from '../../../locales/en/errors.json' with { type: 'json' };
import words from '../../../locales/en/words.json' with { type: 'json' };
import { ReadProblem } from '../../../src/app/server-data/read-problem.tsx';
import type { Problem } from '../../../src/model/problem.ts';

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { errors, words } } }));

const network = { code: 'network' };
const shown = (value: unknown, failed: Problem | null, ofChange: Problem | null = null) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18next}>
      <ReadProblem remote={{ value, problem: failed, again: () => {} }} problem={ofChange} className="problem" />
    </I18nextProvider>,
  );

test('a failed read can be repeated, and beside what was read before it says that this is so', () => {
  const first = shown(null, network);
  expect(first).toContain(`<p>${errors.network}</p>`);
  expect(first).toContain(words.repeat);
  const later = shown([], network);
  expect(later).toContain(`<p>${errors.network} · ${errors.read.before}</p>`);
  expect(later).toContain(words.repeat);
  expect(shown([], null)).toBe('');
});

test('the problem of a change comes before that of a read, and has no button', () => {
  const both = shown([], network, { code: 'conflict' });
  expect(both).toContain(errors.conflict);
  expect(both).not.toContain('<button');
});
