import { useState } from 'react';
import type { CallFailure } from '../../../session/auth-calls.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Button, type ButtonProps } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { FileDown } from '../../../ui/icons/icons.ts';

type ExportState = { kind: 'idle' | 'asking' | 'started' } | { kind: 'failed'; failure: CallFailure };

/** Downloads everything that the account has stored. The browser saves the file itself, so the page never holds it. G8.06 */
export function ExportButton({
  size,
  state,
  onState,
}: Pick<ButtonProps, 'size'> & { state: ExportState; onState: (state: ExportState) => void }) {
  const { t } = useTranslation('account-data');
  const { exportAddress } = useSession();
  const begin = async () => {
    onState({ kind: 'asking' });
    const answer = await exportAddress();
    if (answer.ok) startDownload(answer.value);
    onState(answer.ok ? { kind: 'started' } : { kind: 'failed', failure: answer.failure });
  };
  return (
    <Button size={size} icon={<FileDown size={16} aria-hidden />} busy={state.kind === 'asking'} onClick={() => void begin()}>
      {t('export.action')}
    </Button>
  );
}

/** The state of an export button, for the place that shows it. */
export function useExportState() {
  return useState<ExportState>({ kind: 'idle' });
}

function startDownload(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
