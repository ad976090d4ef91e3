import { useCallback } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { describeDay } from './format-moment.ts';

/** Returns the function that formats a time in the user's language: "today, 14:06", "17 November". */
export function useDayText(): (iso: string) => string {
  const { t, language } = useTranslation('workspace');
  return useCallback(
    (iso) => {
      const day = describeDay(iso, Date.now(), language);
      return day.kind === 'date' ? day.text : t(`history.${day.kind}`, { time: day.time });
    },
    [t, language],
  );
}
