import { useCallback } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

/** Returns the function that writes an instant in a zone; in the zone of the browser without one, and for one that the browser does not know. */
export function useInstantText({ hasWeekday = true } = {}): (iso: string, zone?: string) => string {
  const { language } = useTranslation('common');
  return useCallback(
    (iso, timeZone) => {
      const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
      const shown = { ...options, ...(hasWeekday && { weekday: 'short' as const }) };
      const at = new Date(iso);
      try {
        return at.toLocaleString(language, { ...shown, timeZone });
      } catch {
        return at.toLocaleString(language, shown);
      }
    },
    [language, hasWeekday],
  );
}
