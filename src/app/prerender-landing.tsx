import i18next from 'i18next';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { initReactI18next } from 'react-i18next';
import { LandingFooter } from '../landing/landing-footer.tsx';
import { LandingSections } from '../landing/landing-sections.tsx';
import { ProductPicture } from '../landing/picture/product-picture.tsx';
import { languages } from '../ui/i18n/languages.ts';
import { textOptions } from '../ui/i18n/text-options.ts';
import { LandingApp } from './landing-app.tsx';
import type { PrerenderedLanding } from './prerendered-landing.ts';
import { Providers } from './providers.tsx';

const files = import.meta.glob<Record<string, unknown>>('../../locales/{ru,en}/{common,landing,offer}.json', {
  eager: true,
  import: 'default',
});

/** Renders the landing page's markup and head in each language, which `main.tsx` hydrates. Runs during the client build. */
export async function prerenderLanding(): Promise<PrerenderedLanding[]> {
  const resources: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const [path, texts] of Object.entries(files)) {
    const [language = '', file = ''] = path.split('/').slice(-2);
    resources[language] = { ...resources[language], [file.replace('.json', '')]: texts };
  }
  await i18next.use(initReactI18next).init({ ...textOptions, resources });
  const pages: PrerenderedLanding[] = [];
  for (const language of languages) {
    await i18next.changeLanguage(language);
    const { t } = i18next;
    pages.push({
      language,
      title: `${t('landing:hero.motto')} · ${t('common:product')}`,
      description: t('landing:hero.lead'),
      site: t('common:product'),
      markup: renderToString(
        <StrictMode>
          <Providers>
            <LandingApp leave={() => undefined} parts={{ Picture: ProductPicture, Sections: LandingSections, Footer: LandingFooter }} />
          </Providers>
        </StrictMode>,
      ),
    });
  }
  return pages;
}
