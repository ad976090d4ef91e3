import i18next from 'i18next';
import { useMemo } from 'react';
import { useLateProblemText } from '../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import type { CardTexts } from './scene/text/card-texts.ts';
import { createCardTexts } from './scene/text/create-card-texts.ts';

/** The cards' words in the language of the interface. */
export function useCardTexts(): CardTexts {
  const { t, language } = useTranslation('canvas');
  const problemText = useLateProblemText();
  return useMemo(
    () =>
      createCardTexts(
        language,
        t,
        (code) => {
          const isUnknown = i18next.hasResourceBundle(language, 'errors') && !i18next.exists(code, { ns: 'errors' });
          return isUnknown ? null : problemText({ code });
        },
        (key) =>
          i18next.exists(key, { ns: 'workspace' })
            ? (i18next.t as (key: string, options: object) => string)(key, { ns: 'workspace' })
            : null,
      ),
    [language, t, problemText],
  );
}
