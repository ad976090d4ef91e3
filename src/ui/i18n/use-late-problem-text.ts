import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation as useTexts } from 'react-i18next';
import type { Problem } from '../../model/problem.ts';
import { ObservableValue } from '../../state/observable.ts';
import { useObserved } from '../../state/use-observed.ts';
import { addArea } from './lazy-areas.ts';
import { problemSentence, type Translate } from './use-problem-text.ts';

type Loading = 'loading' | 'loaded' | 'failed';

/** The loading of the area `errors` by its language; absent before a sentence was asked for. */
const loadings = new ObservableValue<Readonly<Record<string, Loading>>>({});

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
      if (loading === 'failed') return t('part.notLoaded');
      // Not during the render: the start of a load renders other parts again.
      if (!loading) queueMicrotask(() => void loadProblemTexts(language));
      return null;
    },
    [loading, i18n, language, t],
  );
}

/** Loads the sentences of problems, once for a language. After a failure it tries again when the browser is online. Never rejects. */
export async function loadProblemTexts(language: string): Promise<void> {
  if (loadings.get()[language] === 'loading') return;
  const set = (loading: Loading) => loadings.set({ ...loadings.get(), [language]: loading });
  try {
    set('loading');
    if (!i18next.hasResourceBundle(language, 'errors')) await addArea(language, 'errors');
    set('loaded');
  } catch {
    set('failed');
    addEventListener('online', () => void loadProblemTexts(language), { once: true });
  }
}
