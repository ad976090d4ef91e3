import type { TFunction } from 'i18next';
import type { LinkSettings } from '../../contract/run-graph.ts';

/** Describes the settings of a link in a few words; empty for a link without settings. */
export function linkWords({ label, test, maxRounds, onFailure }: LinkSettings, t: TFunction<'canvas'>): string {
  const tested = test && `${test.field ? `${test.field} ` : ''}${t(`link.is.${test.is}`)} ${test.value}`;
  const rounds = maxRounds === undefined ? undefined : t('link.rounds', { count: maxRounds });
  return [label ?? tested ?? (onFailure ? t('link.ifFails') : undefined), rounds].filter(Boolean).join(' · ');
}
