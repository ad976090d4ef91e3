import type { RunnerState } from '../../../../../contract/runner.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Info, Laptop } from '../../../../ui/icons/icons.ts';
import { useSend } from '../../frame/use-send.ts';
import { CopyButton } from '../../marks/copy-button.tsx';
import styles from './local-runner.module.css';

/** What starts a runner, in the folder of Artel. */
const startCommand = 'npm run runner';

/** One line about the runner of this machine: how it is started, the press that connects it, or that it is connected. C5.07 */
export function LocalRunner({ runner, again }: { runner: RunnerState; again: () => void }) {
  const { t } = useTranslation('runner');
  const problemText = useProblemText();
  const { send, isBusy, problem } = useSend();
  const { local, connected } = runner;
  const isConnected = connected === 'local';

  const change = async () => {
    await send({ type: isConnected ? 'runner.disconnect' : 'runner.connect' });
    again();
  };

  if (!local) {
    return (
      <div className={styles.line} data-testid="local-runner">
        <Info size={16} aria-hidden />
        <p role="status">{t(isConnected ? 'silent' : 'none')}</p>
        <code>{startCommand}</code>
        <CopyButton text={startCommand} label={t('copy')} done={t('common:copied')} />
      </div>
    );
  }
  const about = t(local.network ? 'networkOn' : 'networkOff', { sandbox: local.sandbox });
  return (
    <div className={styles.line} data-testid="local-runner">
      <Laptop size={16} aria-hidden />
      <p role="status">{problem ? problemText(problem) : `${t(isConnected ? 'connected' : 'found')} ${about}`}</p>
      <Button size="s" variant={isConnected ? 'secondary' : 'primary'} busy={isBusy} onClick={() => void change()}>
        {t(isConnected ? 'words:disconnect' : 'use')}
      </Button>
    </div>
  );
}
