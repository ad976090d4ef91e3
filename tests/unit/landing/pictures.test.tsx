import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test } from 'vitest';
import landing from '../../../locales/en/landing.json' with { type: 'json' };
import offer from '../../../locales/en/offer.json' with { type: 'json' };
import { CanvasPicture, DiffPicture, MessagesPicture, ModelsPicture } from '../../../src/landing/features/feature-pictures.tsx';
import { BudgetPicture, ReplayPicture, RerunPicture } from '../../../src/landing/features/run-pictures.tsx';
import { ProductPicture } from '../../../src/landing/picture/product-picture.tsx';
import type {} from '../../../src/ui/css-variables.d.ts';

test('the words in the landing page’s pictures stand for the eye alone: a picture has one name or none', async () => {
  const i18n = i18next.createInstance();
  await i18n.init({ lng: 'en', resources: { en: { landing, offer } } });
  const markup = (Picture: () => unknown) => {
    const Shown = Picture as React.ComponentType;
    return renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <Shown />
      </I18nextProvider>,
    );
  };
  expect(markup(ProductPicture)).toMatch(/^<div [^>]*role="img" aria-label="[^"]{40,}"/);
  const pictures = { CanvasPicture, DiffPicture, MessagesPicture, ModelsPicture, BudgetPicture, ReplayPicture, RerunPicture };
  for (const [name, Picture] of Object.entries(pictures)) {
    const [outer = '', inner = ''] = markup(Picture).match(/<[^>]+>/g) ?? [];
    expect(markup(Picture).replace(/<[^>]+>/g, ''), name).not.toBe('');
    expect(
      [outer, inner].some((tag) => tag.includes('aria-hidden="true"')),
      name,
    ).toBe(true);
  }
});
