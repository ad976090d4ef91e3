import { useEffect } from 'react';
import { useTranslation } from './i18n/use-translation.ts';

/** Sets the document's title, with the product's name after it. On unmount it removes the page's other entries from the head. */
export function usePageTitle(title: string | null): void {
  const { t } = useTranslation('common');
  const product = t('product');
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product;
  }, [title, product]);
  useEffect(() => forgetAddresses, []);
}

/** Removes the canonical URL, the URLs of other languages and the robots rule, which belong to the first page only. */
function forgetAddresses(): void {
  for (const line of document.querySelectorAll('link[rel=canonical],link[hreflang],meta[name=robots]')) line.remove();
}
