import { useCallback } from 'react';
import type { VersionCounts, VersionGroup } from '../../../../contract/canvas-version.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { describeDay } from '../time/format-moment.ts';

const countNames = [
  'added',
  'removed',
  'changed',
  'moved',
  'linksAdded',
  'linksRemoved',
  'linksChanged',
] as const satisfies readonly (keyof VersionCounts)[];

/** Returns the words of versions: their day, their times, and what was changed. */
export function useVersionWords() {
  const { t, language } = useTranslation('versions');
  const dayOf = useCallback(
    ({ at }: Pick<VersionGroup, 'at'>): string => {
      if (at === null) return t('earlier');
      const day = describeDay(at, Date.now(), language);
      return day.kind === 'date' ? day.text : t(day.kind);
    },
    [t, language],
  );
  const timeOf = useCallback(
    ({ since, at }: Pick<VersionGroup, 'since' | 'at'>): string => {
      const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
      if (at === null) return '';
      const [from, to] = [clock.format(new Date(since ?? at)), clock.format(new Date(at))];
      return from === to ? to : `${from}–${to}`;
    },
    [language],
  );
  const changesOf = useCallback(
    ({ counts, changes }: Pick<VersionGroup, 'counts' | 'changes'>): string => {
      const words = countNames.flatMap((name) => (counts[name] > 0 ? [t(`counts.${name}`, { count: counts[name] })] : []));
      if (words.length > 0) return words.join(', ');
      return changes === 0 ? t('earliest') : t('noChange');
    },
    [t],
  );
  return { dayOf, timeOf, changesOf };
}
