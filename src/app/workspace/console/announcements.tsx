import { slashCommands } from '../../../model/console/console-command.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import styles from './command-line/command-line.module.css';

/** On pages without commands: a button for each, which describes the command. R43 */
export function Announcements() {
  const { t } = useTranslation('console');
  const dispatch = useDispatch();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label={t('line.announceLabel')} className={styles.announcements}>
      {slashCommands.map((name) => (
        <Button key={name} size="s" onClick={() => void dispatch({ type: 'console.announce', name })}>
          /{name}
        </Button>
      ))}
    </div>
  );
}
