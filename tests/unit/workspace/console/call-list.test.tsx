import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { beforeAll, expect, test } from 'vitest';
import texts from '../../../../locales/en/tool-servers.json' with { type: 'json' };
import { CallList } from '../../../../src/app/workspace/console/conversation/calls-of-step.tsx';

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { 'tool-servers': texts } } }));

const shown = (made: number) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18next}>
      <CallList calls={[]} made={made} />
    </I18nextProvider>,
  );

test('R23.04 a step whose calls were removed says so in their place, and one without calls shows none', () => {
  expect(shown(3)).toBe(`<p>${texts.calls.thinned}</p>`);
  expect(shown(0)).toBe('<ol></ol>');
});
