import type { Cost } from '../../../../contract/cost.ts';
import type { ComparedSide } from '../../../../contract/executions/compare.ts';
import { durationText } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useCostText } from '../budgets/use-cost-text.ts';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';

/** Writes what was paid; empty for nothing, as simulated runs cost. */
export function usePaid(): (cost: Cost) => string {
  const costText = useCostText();
  return (cost) => (cost.amounts.length > 0 || cost.isUnknown ? costText(cost) : '');
}

/** The tokens, time, cost and model of a step in one of two runs. */
export function SideFigures({ side, label }: { side: ComparedSide | null; label: string }) {
  const { t, language } = useTranslation('rerun');
  const paid = usePaid();
  const cost = side?.cost ? paid(side.cost) : '';
  return (
    <span>
      <small>{label}</small>
      {side === null
        ? '—'
        : side.status === 'reused'
          ? t(side.isEdited ? 'edited' : 'keptMark')
          : hasNotRun(side)
            ? t('noResult')
            : [
                t('figures', {
                  tokens: (side.tokens ?? 0).toLocaleString(language),
                  time: side.durationMs === null ? '—' : durationText(side.durationMs, language),
                }),
                cost,
                // The badge says so in words.
                side.simulated ? '' : (side.model ?? ''),
              ]
                .filter(Boolean)
                .join(' · ')}{' '}
      {side?.simulated && side.status !== 'reused' && <SimulatedBadge />}
    </span>
  );
}

function hasNotRun({ status, durationMs }: ComparedSide): boolean {
  return durationMs === null && (status === 'skipped' || status === 'cancelled' || status === 'pending');
}
