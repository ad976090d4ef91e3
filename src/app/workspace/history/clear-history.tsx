import { useState } from 'react';
import { resultStatus } from '../../../../contract/executions/result-kinds.ts';
import { IconButton, type IconButtonProps } from '../../../ui/controls/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2 } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/** Clears the history after a confirmation; hidden while it is empty. W5.09 */
export function ClearHistory({ size }: Pick<IconButtonProps, 'size'>) {
  const { t } = useTranslation('workspace');
  const { readOnly } = useWorkspaceContext();
  const ended = useWorkspace((state) => state.history.items.some(({ status }) => status !== resultStatus.processing));
  const [asks, setAsks] = useState(false);
  if (readOnly || !ended) return null;
  return (
    <>
      <IconButton label={t('history.clear')} tooltipSide="top" icon={<Trash2 size={16} />} size={size} onClick={() => setAsks(true)} />
      <ClearHistoryQuestion open={asks} onClose={() => setAsks(false)} />
    </>
  );
}

/** Asks before the history is cleared. */
export function ClearHistoryQuestion({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  return (
    <ConfirmDialog
      open={open}
      title={t('history.clear')}
      action={t('history.clearYes')}
      destructive
      onConfirm={() => void dispatch({ type: 'history.clear' })}
      onClose={onClose}
    >
      <p>{t('history.clearText')}</p>
    </ConfirmDialog>
  );
}
