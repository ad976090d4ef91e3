import { ConfirmDialog } from '../../../ui/controls/confirm-dialog.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../panels.tsx';
import { useSurroundings } from '../workspace-context.ts';

/** Asked where edits are in this browser alone. */
export function SignOutQuestion() {
  const { t } = useTranslation('account');
  const { panels, show } = usePanels();
  const { account } = useSurroundings();
  return (
    <ConfirmDialog
      open={panels.window?.kind === 'signOut'}
      title={t('signOut.title')}
      action={t('signOut.action')}
      onConfirm={() => account?.signOut()}
      onClose={() => show({ window: null })}
    >
      <p>{t('signOut.text')}</p>
    </ConfirmDialog>
  );
}
