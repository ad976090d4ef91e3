import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { MessageCircleQuestion } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';
import styles from './questions.module.css';

/** Opens the list of questions, and shows how many wait. */
export function QuestionsButton({ size = 32, iconSize = 17 }: { size?: 32 | 40; iconSize?: number }) {
  const { t } = useTranslation('workspace');
  const { panels, show } = usePanels();
  const count = useWorkspace((state) => state.questions.items.length);
  const isOpen = panels.window?.kind === 'questions';
  return (
    <span className={styles.holder} data-testid="questions-button" data-count={count}>
      <IconButton
        label={count > 0 ? t('questions.count', { count }) : t('questions.button')}
        shortcut={shortcutLabel('alt+Q')}
        size={size}
        icon={<MessageCircleQuestion size={iconSize} />}
        pressed={isOpen}
        onClick={() => show({ window: isOpen ? null : { kind: 'questions', questionId: null } })}
      />
      {count > 0 && (
        <span className={styles.count} aria-hidden>
          {count > 99 ? '99+' : count}
        </span>
      )}
    </span>
  );
}
