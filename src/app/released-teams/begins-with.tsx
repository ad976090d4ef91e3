import { nameOf } from '../../../rules/card.ts';
import { Select } from '../../ui/controls/fields/select.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { dialogsOf } from './present-pipeline.ts';

type BeginsWithProps = { dialogId: string | null; onChange: (dialogId: string | null) => void };

/** What a release begins with: a dialog, or all cards. Nothing on a canvas without dialogs. */
export function BeginsWith({ dialogId, onChange }: BeginsWithProps) {
  const { t } = useTranslation('released-teams');
  const document = useWorkspace((state) => state.document);
  const dialogs = dialogsOf({ document });
  if (dialogs.length === 0) return null;
  return (
    <Select
      label={t('beginsWith')}
      value={dialogId ?? ''}
      options={[...dialogs.map((one) => ({ value: one.id, label: nameOf(one) })), { value: '', label: t('wholeCanvas') }]}
      onChange={(value) => onChange(value === '' ? null : value)}
    />
  );
}
