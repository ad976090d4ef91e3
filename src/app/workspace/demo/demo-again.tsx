import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Rewind, RotateCcw } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { rerunStepOf } from '../rerun/rerun-step.ts';

/** What a visitor can do with the run that has ended: play it again, or run its last agents again with the results before them. */
export function DemoAgain() {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const { show } = usePanels();
  const { execution, steps } = useWorkspace((state) => state.run);
  // The newest agent: a person would only be asked once more.
  const last = steps.findLast(({ usage }) => usage !== null);
  if (!execution || !last) return null;
  return (
    <>
      <Button
        size="s"
        icon={<Rewind size={15} aria-hidden />}
        onClick={() => void dispatch({ type: 'replay.open', executionId: execution.id })}
      >
        {t('run.replay')}
      </Button>
      <Button
        size="s"
        icon={<RotateCcw size={15} aria-hidden />}
        onClick={() => show({ compare: null, rerun: { executionId: execution.id, mode: 'from', step: rerunStepOf(last) } })}
      >
        {t('demo.rerun', { name: last.name })}
      </Button>
    </>
  );
}
