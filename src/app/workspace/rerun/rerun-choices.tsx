import type { StepRun } from '../../../../contract/executions/execution.ts';
import { cardViews } from '../../../model/card-view.ts';
import { MenuItem } from '../../../ui/controls/overlays/menu.tsx';
import { Submenu } from '../../../ui/controls/overlays/submenu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RotateCcw } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { rerunStepOf } from './rerun-step.ts';
import { useContinueStep } from './use-continue-step.ts';
import { useShowOriginal } from './use-show-original.ts';

/** The part of a card's menu with which the shown run runs again from the card. Only of a run that has ended, and a card that took part. */
export function RerunChoices({ nodeId }: { nodeId: string }) {
  const { t } = useTranslation('rerun');
  const { show } = usePanels();
  const run = useWorkspace((state) => state.run);
  const step = cardViews(run)[nodeId]?.step ?? null;
  const showOriginal = useShowOriginal(step);
  const { execution } = run;
  if (!execution || !step || step.status === 'skipped') return null;
  const kept = showOriginal !== undefined && (
    <MenuItem disabled={showOriginal === null} onSelect={() => showOriginal?.()}>
      {t(showOriginal === null ? 'keptFromRemoved' : 'keptFrom')}
    </MenuItem>
  );
  if (run.phase !== 'stopped') return kept || null;
  const { result } = step;
  const open = (mode: 'from' | 'edit' | 'try') =>
    show({ compare: null, rerun: { executionId: execution.id, mode, step: rerunStepOf(step) } });
  return (
    <Submenu label={t('words:runAgain')} icon={<RotateCcw size={16} strokeWidth={1.75} aria-hidden />}>
      {kept}
      <ContinueChoice executionId={execution.id} step={step} />
      <MenuItem onSelect={() => open('from')}>{t('fromHere')}</MenuItem>
      {result !== null && <MenuItem onSelect={() => open('edit')}>{t('editHere')}</MenuItem>}
      {step.kind !== 'person' && result !== null && <MenuItem onSelect={() => open('try')}>{t('tryHere')}</MenuItem>}
    </Submenu>
  );
}

/** Of a step whose result is cut off: goes on with its text at once. */
function ContinueChoice({ executionId, step }: { executionId: string; step: StepRun }) {
  const { t } = useTranslation('rerun');
  const continueStep = useContinueStep(executionId, step);
  return continueStep && <MenuItem onSelect={continueStep}>{t('continueHere')}</MenuItem>;
}
