import { type CSSProperties, useState } from 'react';
import { resultStatus } from '../../../../contract/executions/result-kinds.ts';
import { IconButton, type IconButtonProps } from '../../../ui/controls/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2 } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../workspace-context.ts';

/** Clears the history after a confirmation; hidden while it is empty. W5.09 */
export function ClearHistory({
  size,
  style,
  className,
}: Pick<IconButtonProps, 'size' | 'className'> & { style?: CSSProperties | undefined }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const ended = useWorkspace((state) => state.history.items.some(({ status }) => status !== resultStatus.processing));
  const [asking, setAsking] = useState(false);
  if (readOnly || !ended) return null;
  return (
    <>
      <IconButton
        label={t('history.clear')}
        tooltipSide="top"
        icon={<Trash2 size={16} />}
        {...{ size, className, ...(style && { style }) }}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        title={t('history.clear')}
        action={t('history.clearYes')}
        destructive
        onConfirm={() => void dispatch({ type: 'history.clear' })}
        onClose={() => setAsking(false)}
      >
        <p>{t('history.clearText')}</p>
      </ConfirmDialog>
    </>
  );
}
