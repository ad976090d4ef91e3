import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { MessageCircleQuestion } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import styles from '../questions/questions.module.css';
import { BarButton } from './bar-button.tsx';

/** Opens the list of questions, and shows how many wait. `hasWord`: the bar has room for its word. */
export function QuestionsButton({ hasWord = false }: { hasWord?: boolean }) {
  const { t } = useTranslation('workspace');
  const { panels, show } = usePanels();
  const count = useWorkspace((state) => state.questions.items.length);
  const isOpen = panels.window?.kind === 'questions';
  const about = count > 0 ? t('questions.count', { count }) : t('words:needsYou');
  const shortcut = shortcutOf('questions');
  const toggle = () => show({ window: isOpen ? null : { kind: 'questions', questionId: null } });
  return (
    <span className={styles.holder} data-testid="questions-button" data-count={count}>
      {hasWord ? (
        <BarButton
          icon={<MessageCircleQuestion size={16} aria-hidden />}
          about={about}
          shortcut={shortcut}
          pressed={isOpen}
          count={count}
          onClick={toggle}
        >
          {t('words:needsYou')}
        </BarButton>
      ) : (
        <>
          <IconButton
            label={about}
            shortcut={shortcut}
            size={40}
            icon={<MessageCircleQuestion size={19} />}
            pressed={isOpen}
            onClick={toggle}
          />
          {count > 0 && (
            <span className={styles.count} aria-hidden>
              {count > 99 ? '99+' : count}
            </span>
          )}
        </>
      )}
    </span>
  );
}
