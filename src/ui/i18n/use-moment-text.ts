import { useCallback } from 'react';
import { useTranslation } from './use-translation.ts';

/** Returns the function that writes a moment: its day, in letters where it is `long`, and its time, to the minute or to the second. */
export function useMomentText(unit: 'minute' | 'second' = 'minute', dateStyle: 'medium' | 'long' = 'medium'): (at: string) => string {
  const { language } = useTranslation('common');
  return useCallback(
    (at) => {
      const timeStyle = unit === 'second' ? 'medium' : 'short';
      return new Intl.DateTimeFormat(language, { dateStyle, timeStyle }).format(new Date(at));
    },
    [language, unit, dateStyle],
  );
}
