import { useState } from 'react';
import type { RunnerState } from '../../../../../contract/runner.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Info, Laptop } from '../../../../ui/icons/icons.ts';
import { useDispatch } from '../../../../workers/bridge/use-workspace.ts';
import { CopyButton } from '../../marks/copy-button.tsx';
import styles from './local-runner.module.css';

/** What starts a runner, in the folder of Artel. */
const startCommand = 'npm run runner';

/** One line about the runner of this machine: how it is started, the press that connects it, or that it is connected. C5.07 */
export function LocalRunner({ runner, again }: { runner: RunnerState; again: () => void }) {
  const { t } = useTranslation('runner');
  const dispatch = useDispatch();
  const problemText = useProblemText();
  const [state, setState] = useState<'busy' | Problem | null>(null);
  const { local, connected } = runner;
  const isConnected = connected === 'local';

  const send = async (type: 'runner.connect' | 'runner.disconnect') => {
    if (state === 'busy') return;
    setState('busy');
    const answer = await dispatch({ type });
    setState(answer.ok ? null : answer.error);
    again();
  };

  if (!local) {
    return (
      <div className={styles.line} data-testid="local-runner">
        <Info size={16} aria-hidden />
        <p role="status">{t(isConnected ? 'silent' : 'none')}</p>
        <code>{startCommand}</code>
        <CopyButton text={startCommand} label={t('copy')} done={t('copied')} />
      </div>
    );
  }
  const about = t(local.network ? 'networkOn' : 'networkOff', { sandbox: local.sandbox });
  return (
    <div className={styles.line} data-testid="local-runner">
      <Laptop size={16} aria-hidden />
      <p role="status">{state !== null && state !== 'busy' ? problemText(state) : `${t(isConnected ? 'connected' : 'found')} ${about}`}</p>
      <Button
        size="s"
        variant={isConnected ? 'secondary' : 'primary'}
        busy={state === 'busy'}
        onClick={() => void send(isConnected ? 'runner.disconnect' : 'runner.connect')}
      >
        {t(isConnected ? 'disconnect' : 'use')}
      </Button>
    </div>
  );
}
