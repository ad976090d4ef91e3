import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session-provider.tsx';
import { changeLanguage } from '../ui/i18n/change-language.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { noteUnsentLanguage, unsentLanguage } from './unsent-language.ts';

/**
 * Keeps the page and the account in one language: the account's when it becomes known, and the person's choice as soon as they make
 * one, in this browser or by the address with which they open a session that they have already. A choice that the server did not store
 * is sent again when the browser is online again and at the next start; until then it wins over the account's language. R01.01
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: being online again sends what is unsent
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

/** Whether the account's page may be drawn: it waits once, until its language is the account's or the person has chosen another. */
export function useIsLanguageSettled(): boolean {
  const { language } = useTranslation('common');
  const { auth, hasTokens } = useSession();
  const [isAddressed] = useState(() => hasTokens() && new URLSearchParams(location.search).has('lang'));
  const isSettled = useRef(false);
  const expected = (auth.user && unsentLanguage(auth.user.id)) ?? auth.language;
  if (auth.isLoggedIn && (isAddressed || expected === null || expected === language)) isSettled.current = true;
  return isSettled.current;
}
