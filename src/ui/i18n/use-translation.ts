import { useTranslation as useTexts } from 'react-i18next';
import type { Language } from './languages.ts';

export type Area =
  | 'common'
  | 'auth'
  | 'landing'
  | 'offer'
  | 'privacy'
  | 'workspace'
  | 'console'
  | 'canvas'
  | 'actions'
  | 'errors'
  | 'modals'
  | 'performance'
  | 'projects'
  | 'account'
  | 'leads'
  | 'tests';

/** The texts of one area, `t`, and the language they are in. Suspends until the area's file has arrived. */
export function useTranslation<A extends Area = 'common'>(area: A = 'common' as A) {
  const { t, i18n } = useTexts(area);
  return { t, language: i18n.language as Language };
}
