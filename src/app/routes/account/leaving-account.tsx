import { useState } from 'react';
import type { CallFailure } from '../../../session/auth-calls.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useMomentText } from '../../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Clock, LogOut, RotateCcw } from '../../../ui/icons/icons.ts';
import { usePageTitle } from '../../../ui/use-page-title.ts';
import { ExportButton, useExportState } from '../../workspace/account/export-button.tsx';
import { FormProblem } from '../../workspace/account/form-problem.tsx';
import { NoticePage } from '../notices/notice-page.tsx';

/** The page of an account that is being deleted: it can be taken back or exported, and nothing else. G8.07 */
export function LeavingAccount({ dueAt }: { dueAt: string }) {
  const { t } = useTranslation('account-data');
  const { takeBackAccount, logout } = useSession();
  const [exported, setExported] = useExportState();
  const [keeping, setKeeping] = useState<'no' | 'asking' | CallFailure>('no');
  usePageTitle(t('leaving.title'));
  const until = useMomentText('minute', 'long')(dueAt);
  const keep = async () => {
    setKeeping('asking');
    const answer = await takeBackAccount();
    if (!answer.ok) setKeeping(answer.failure);
  };
  return (
    <NoticePage
      icon={<Clock size={18} aria-hidden />}
      kicker={t('words:account')}
      title={t('leaving.title')}
      text={t('leaving.text', { until })}
      note={
        <>
          <FormProblem failure={typeof keeping === 'string' ? null : keeping} />
          <FormProblem failure={exported.kind === 'failed' ? exported.failure : null} />
          {exported.kind === 'started' && t('export.started')}
        </>
      }
    >
      <Button
        variant="primary"
        size="xl"
        icon={<RotateCcw size={17} aria-hidden />}
        busy={keeping === 'asking'}
        onClick={() => void keep()}
      >
        {t('leaving.keep')}
      </Button>
      <ExportButton size="xl" state={exported} onState={setExported} />
      <Button variant="ghost" size="xl" icon={<LogOut size={17} aria-hidden />} onClick={() => void logout()}>
        {t('words:signOut')}
      </Button>
    </NoticePage>
  );
}
