import { useEffect } from 'react';
import { useTranslation } from '../ui/i18n/use-translation.ts';

/** Names the page in the browser's tab, with the product's name after it; what its head said besides of the page goes when the page does. */
export function usePageTitle(title: string | null): void {
  const { t } = useTranslation('common');
  const product = t('product');
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product;
  }, [title, product]);
  useEffect(() => forgetAddresses, []);
}

/** A page was sent with its own address, those where it stands in each language, and whether it may be found: the one shown after it has others. */
function forgetAddresses(): void {
  for (const line of document.querySelectorAll('link[rel=canonical],link[hreflang],meta[name=robots]')) line.remove();
}
