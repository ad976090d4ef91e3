import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session-provider.tsx';
import { changeLanguage } from '../ui/i18n/change-language.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';

/**
 * Keeps the page and the account in one language: the account's when it becomes known, and the person's choice as soon as they make
 * one, in this browser or by the address with which they open a session that they have already. R01.01
 */
export function useFollowAccountLanguage(): void {
  const { language } = useTranslation('common');
  const { auth, hasTokens, updateProfile } = useSession();
  const { isLoggedIn, language: ofAccount } = auth;
  const [isAddressed] = useState(() => hasTokens() && new URLSearchParams(location.search).has('lang'));
  const before = useRef(isAddressed ? null : language);
  useEffect(() => {
    if (!isLoggedIn) {
      if (!isAddressed) before.current = language;
      return;
    }
    const isChosen = before.current !== language;
    before.current = language;
    if (ofAccount === language) return;
    if (isChosen) void updateProfile({ language });
    else if (ofAccount !== null) void changeLanguage(ofAccount);
  }, [isLoggedIn, language, ofAccount, isAddressed, updateProfile]);
}

/** Whether the account's page may be drawn: it waits once, until its language is the account's or the person has chosen another. */
export function useIsLanguageSettled(): boolean {
  const { language } = useTranslation('common');
  const { auth, hasTokens } = useSession();
  const [isAddressed] = useState(() => hasTokens() && new URLSearchParams(location.search).has('lang'));
  const isSettled = useRef(false);
  if (auth.isLoggedIn && (isAddressed || auth.language === null || auth.language === language)) isSettled.current = true;
  return isSettled.current;
}
