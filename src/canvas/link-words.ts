import type { TFunction } from 'i18next';
import type { LinkSettings } from '../../contract/executions/run-graph.ts';
import type { LinkInRun } from '../../rules/run-graph/link-in-run.ts';
import { isBackLink } from '../../rules/run-graph/run-graph.ts';
import type { CardView } from '../model/card-view.ts';
import type { LinkMeaning } from '../model/run/link-meaning.ts';

/**
 * The parts of a link's description: when it is taken, its test beside a label, how often it leads back, and that it holds. Empty where a link has no such
 * setting.
 */
type LinkParts = { taken: string; tested: string; rounds: string; held: string };

export function linkParts(
  { label, test, maxRounds, onFailure, hold }: LinkSettings,
  meaning: LinkMeaning | null,
  t: TFunction<'canvas'>,
): LinkParts {
  const tested = test && `${test.field ? `${test.field} ` : ''}${t(`link.is.${test.is}`)} ${test.value}`.trimEnd();
  return {
    tested: (label !== undefined && tested) || '',
    taken:
      label ??
      (tested ? t('link.when', { test: tested }) : onFailure ? t('link.ifFails') : meaning === 'otherwise' ? t('link.otherwise') : ''),
    rounds: maxRounds === undefined ? '' : t(meaning === 'always' ? 'link.allRounds' : 'link.rounds', { count: maxRounds }),
    held: hold ? t(`link.held.${hold}`) : '',
  };
}

/** Describes a link in a few words; empty for one that says nothing to a run. */
export function linkWords(settings: LinkSettings, meaning: LinkMeaning | null, t: TFunction<'canvas'>): string {
  const { taken, tested, rounds, held } = linkParts(settings, meaning, t);
  return [taken, rounds, held, tested].filter(Boolean).join(' · ');
}

/** What a run has done with a link, in a few words; the round too where it leads back. `to`: the card that it leads to. */
export function linkRunWords(
  settings: LinkSettings,
  inRun: LinkInRun | undefined,
  to: Pick<CardView, 'round' | 'rounds'> | undefined,
  t: TFunction<'canvas'>,
): string {
  if (!inRun) return '';
  return [t(`link.inRun.${inRun}`), isBackLink(settings) ? roundWords(to, t) : ''].filter(Boolean).join(', ');
}

/** Which round of its review loop a card is in; empty in the first one. */
export function roundWords(view: Pick<CardView, 'round' | 'rounds'> | undefined, t: TFunction<'canvas'>): string {
  if (!view?.round) return '';
  if (view.rounds === null) return t('card.round', { amount: view.round });
  return t('card.roundOf', { amount: view.round, total: view.rounds });
}
