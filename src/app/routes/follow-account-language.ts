import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session-provider.tsx';
import { changeLanguage } from '../../ui/i18n/change-language.ts';
import { type Language, languages } from '../../ui/i18n/languages.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { readStored, writeStored } from '../../ui/stored-preference.ts';

/**
 * Keeps the language of page and account the same. The account's language applies when it becomes known. The user's choice takes
 * precedence, made on the page or by a URL with `lang` that opens an existing session. A choice that the server has not stored is
 * sent again when the browser is online again and at the next start. R01.01
 */
export function useFollowAccountLanguage(): void {
  const { language } = useTranslation('common');
  const { auth, hasTokens, updateProfile } = useSession();
  const { isLoggedIn, language: ofAccount } = auth;
  const userId = auth.user?.id ?? null;
  const [isAddressed] = useState(() => hasTokens() && new URLSearchParams(location.search).has('lang'));
  const [timesOnline, setTimesOnline] = useState(0);
  const before = useRef(isAddressed ? null : language);
  useEffect(() => {
    const onOnline = () => setTimesOnline((times) => times + 1);
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: going online again sends the unsent choice
  useEffect(() => {
    if (!isLoggedIn || userId === null) {
      if (!isAddressed) before.current = language;
      return;
    }
    const isChosen = before.current !== language;
    before.current = language;
    if (ofAccount === language) {
      noteUnsentLanguage(userId, null);
      return;
    }
    const unsent = isChosen ? language : unsentLanguage(userId);
    if (unsent === null) {
      if (ofAccount !== null) void changeLanguage(ofAccount);
      return;
    }
    noteUnsentLanguage(userId, unsent);
    if (unsent === language) void updateProfile({ language });
    else void changeLanguage(unsent);
  }, [isLoggedIn, userId, language, ofAccount, isAddressed, updateProfile, timesOnline]);
}

/** Returns whether the account's page may be rendered: once the page has the account's language or the user's choice. */
export function useIsLanguageSettled(): boolean {
  const { language } = useTranslation('common');
  const { auth, hasTokens } = useSession();
  const [isAddressed] = useState(() => hasTokens() && new URLSearchParams(location.search).has('lang'));
  const isSettled = useRef(false);
  const expected = (auth.user && unsentLanguage(auth.user.id)) ?? auth.language;
  if (auth.isLoggedIn && (isAddressed || expected === null || expected === language)) isSettled.current = true;
  return isSettled.current;
}

const unsentLanguageKey = 'unsentLanguage';

/** Stores the language that the user has chosen and that the server has not stored yet; null removes it. R01.01 */
function noteUnsentLanguage(userId: string, language: Language | null): void {
  if (language !== null) writeStored(unsentLanguageKey, `${userId} ${language}`);
  else if (unsentLanguage(userId) !== null) writeStored(unsentLanguageKey, '');
}

/** Returns the account's chosen language that is not sent yet, or null. */
function unsentLanguage(userId: string): Language | null {
  const [ofUser, language] = (readStored(unsentLanguageKey) ?? '').split(' ');
  return ofUser === userId ? (languages.find((known) => known === language) ?? null) : null;
}
