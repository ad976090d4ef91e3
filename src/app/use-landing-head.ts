import { useEffect } from 'react';
import { languages } from '../ui/i18n/languages.ts';

/** Tells search engines what the landing page is about, which address it has, and where it stands in each language. */
export function useLandingHead(description: string): void {
  useEffect(() => {
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
  }, [description]);

  useEffect(() => {
    const home = `${location.origin}/`;
    const asked = languages.find((language) => language === new URLSearchParams(location.search).get('lang'));
    const links = [
      link({ rel: 'canonical', href: asked ? `${home}?lang=${asked}` : home }),
      ...languages.map((language) => link({ rel: 'alternate', hreflang: language, href: `${home}?lang=${language}` })),
      link({ rel: 'alternate', hreflang: 'x-default', href: home }),
    ];
    document.head.append(...links);
    return () => {
      for (const one of links) one.remove();
    };
  }, []);
}

function link(attributes: { rel: string; href: string; hreflang?: string }): HTMLLinkElement {
  return Object.assign(document.createElement('link'), attributes);
}
