import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { MessageCircleQuestion } from '../../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../../panels.tsx';
import { SettingButton } from './setting-button.tsx';

/** Opens the questions that wait for the user: the one of the shown run where it asks one. It counts those of that run. */
export function QuestionsSetting() {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const count = useWorkspace(
    ({ questions, run: { execution } }) => questions.items.filter(({ executionId }) => executionId === execution?.id).length,
  );
  const only = useWorkspace(({ questions: { items }, run: { execution } }) => {
    const ofRun = items.filter(({ executionId }) => executionId === execution?.id);
    return ofRun.length === 1 ? (ofRun[0]?.id ?? null) : null;
  });
  return (
    <SettingButton
      icon={<MessageCircleQuestion size={14} aria-hidden />}
      isOn={count > 0}
      data-testid="needs-you"
      data-count={count}
      onClick={() => show({ window: { kind: 'questions', questionId: only } })}
    >
      {count > 0 ? t('questions.count', { count }) : t('questions.button')}
    </SettingButton>
  );
}
