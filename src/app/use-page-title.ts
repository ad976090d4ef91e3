import { useEffect } from 'react';
import { useTranslation } from '../ui/i18n/use-translation.ts';

/** Names the page in the browser's tab, with the product's name after it. */
export function usePageTitle(title: string | null): void {
  const { t } = useTranslation('common');
  const product = t('product');
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product;
  }, [title, product]);
}
