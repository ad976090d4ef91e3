import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { beforeAll, expect, test } from 'vitest';
import texts from '../../../locales/en/connections.json' with { type: 'json' };
import { ModelFigures } from '../../../src/app/workspace/models/model-figures.tsx';

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { connections: texts } } }));

const shown = (price: object) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18next}>
      <ModelFigures model={{ id: 'm', price: { currency: 'USD', input: 2_000_000, output: 10_000_000, ...price } }} />
    </I18nextProvider>,
  ).replaceAll(/<[^>]+>/g, '|');

test('M3.21 a price says from which length of a prompt it is dearer', () => {
  const dear = { input: 4_000_000, output: 15_000_000 };
  expect(shown({ steps: [{ above: 272_000, ...dear }] })).toContain('dearer beyond 272K tokens');
  expect(shown({ steps: [{ above: 199_999, ...dear }] })).toContain('dearer beyond 200K tokens');
  expect(shown({})).not.toContain('dearer');
});
