import type { TFunction } from 'i18next';
import { useTranslation as useTexts } from 'react-i18next';
import { failedAreas } from './failed-areas.ts';
import type { Language } from './languages.ts';

export type Area =
  | 'common'
  | 'words'
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

/** The areas of pages of visitors, who load no words of the workspace. */
const visitorAreas = ['common', 'landing', 'offer', 'privacy'] as const satisfies Area[];
type VisitorArea = (typeof visitorAreas)[number];

/** The areas that a component reads beside its own: `t('common:close')`, and in the workspace `t('words:save')`. */
type AreasOf<A extends Area> = A extends VisitorArea ? readonly [A, 'common'] : readonly [A, 'common', 'words'];

/** The texts of one area, as its components read them. */
export type TextsOf<A extends Area> = TFunction<AreasOf<A>>;

/** Returns the texts of one area, `t`, and their language. Suspends until the area is loaded; throws a `PartLoadError` after a failure. */
export function useTranslation<A extends Area = 'common'>(area: A = 'common' as A) {
  const areas: readonly Area[] = (visitorAreas as readonly Area[]).includes(area) ? [area, 'common'] : [area, 'common', 'words'];
  const { t, i18n } = useTexts(areas);
  for (const name of areas) {
    const failure = failedAreas.get(`${i18n.language}/${name}`);
    if (failure) throw failure;
  }
  return { t: t as unknown as TextsOf<A>, language: i18n.language as Language };
}
