import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation as useTexts } from 'react-i18next';
import type { Problem } from '../../model/problem.ts';
import { ObservableValue } from '../../state/observable.ts';
import { useObserved } from '../../state/use-observed.ts';
import { pageClock } from '../page-clock.ts';
import { addArea } from './lazy-areas.ts';
import { problemSentence, type Translate } from './use-problem-text.ts';

type Loading = 'loading' | 'loaded' | 'failed' | 'retrying';

/** The wait before the next try (ms). A server that restarts sends no event `online`. */
const retryMs = 10_000;

/** The loading of the area `errors` by its language; absent before a sentence was asked for. */
const loadings = new ObservableValue<Readonly<Record<string, Loading>>>({});
/** The languages of which a next try waits. */
const waiting = new Set<string>();

/**
 * Returns the sentence for a problem as `useProblemText` does, for a part that is drawn before any problem can exist. It does not suspend:
 * the first problem loads the texts, and the function returns null until they are there. If they do not load, it says so.
 */
export function useLateProblemText(): (problem: Problem) => string | null {
  const { t, i18n } = useTexts('common');
  const { language } = i18n;
  const loading = useObserved(loadings, () => (i18n.hasResourceBundle(language, 'errors') ? 'loaded' : loadings.get()[language]));
  return useCallback(
    (problem) => {
      if (loading === 'loaded') return problemSentence(problem, i18n.getFixedT(language, 'errors') as unknown as Translate);
      if (loading === 'failed' || loading === 'retrying') return t('part.notLoaded');
      // Not during the render: the start of a load renders other parts again.
      if (!loading) queueMicrotask(() => void loadProblemTexts(language));
      return null;
    },
    [loading, i18n, language, t],
  );
}

/** Loads the sentences of problems, once for a language. After a failure it tries again until they are there. Never rejects. */
export async function loadProblemTexts(language: string): Promise<void> {
  const last = loadings.get()[language];
  if (last === 'loading' || last === 'retrying') return;
  const set = (loading: Loading) => loadings.set({ ...loadings.get(), [language]: loading });
  try {
    set(last === 'failed' ? 'retrying' : 'loading');
    if (!i18next.hasResourceBundle(language, 'errors')) await addArea(language, 'errors');
    set('loaded');
  } catch {
    set('failed');
    retryLater(language);
  }
}

/** Tries again after a wait, or at once when the browser is online again: once, however many tries have failed meanwhile. */
function retryLater(language: string): void {
  if (waiting.has(language)) return;
  waiting.add(language);
  const retry = () => {
    waiting.delete(language);
    removeEventListener('online', retry);
    cancel();
    void loadProblemTexts(language);
  };
  const cancel = pageClock.later(retryMs, retry);
  addEventListener('online', retry);
}
