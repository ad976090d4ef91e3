import { useCallback } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

/** Returns the function that writes an instant in a zone; in the zone of the browser without one. */
export function useInstantText(): (iso: string, zone?: string) => string {
  const { language } = useTranslation('triggers');
  return useCallback(
    (iso, zone) => {
      const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
      return formatOf(language, options, zone).format(new Date(iso));
    },
    [language],
  );
}

/** A zone that the server knows and the browser does not is shown in that of the browser. */
function formatOf(language: string, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(language, options);
  }
}
