import { useTranslation as useTexts } from 'react-i18next';
import { failedAreas } from './failed-areas.ts';
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
  | 'projects'
  | 'account'
  | 'leads'
  | 'dead-letters'
  | 'answers'
  | 'question-link'
  | 'tool-servers'
  | 'runner'
  | 'connections'
  | 'account-data'
  | 'api-keys'
  | 'connect'
  | 'released-teams'
  | 'budgets'
  | 'storage'
  | 'publishing'
  | 'questions'
  | 'versions'
  | 'inputs'
  | 'replay'
  | 'rerun'
  | 'links'
  | 'participation'
  | 'selection'
  | 'folding'
  | 'triggers'
  | 'start-triggers'
  | 'developer';

/** Returns the texts of one area, `t`, and their language. Suspends until the area is loaded; throws a `PartLoadError` after a failure. */
export function useTranslation<A extends Area = 'common'>(area: A = 'common' as A) {
  const { t, i18n } = useTexts(area);
  const failure = failedAreas.get(`${i18n.language}/${area}`);
  if (failure) throw failure;
  return { t, language: i18n.language as Language };
}
