import { useCallback } from 'react';
import type { Cost } from '../../../../contract/cost.ts';
import { costText } from '../../../model/run/cost-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';

/** Returns the function that writes a cost in the language of the interface. */
export function useCostText(): (cost: Cost) => string {
  const { t, language } = useTranslation('workspace');
  return useCallback(
    (cost) =>
      costText(cost, language, {
        unknown: t('words:priceUnknown'),
        andUnknown: (amounts) => t('cost.andUnknown', { amounts }),
        estimated: (amounts) => t('cost.estimated', { amounts }),
      }),
    [t, language],
  );
}
