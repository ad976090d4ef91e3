import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArrowLeft } from '../../../ui/icons/icons.ts';

/** Leads from a question back to the list. */
export function BackButton({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('questions');
  return (
    <Button size="s" variant="ghost" icon={<ArrowLeft size={15} aria-hidden />} onClick={onBack}>
      {t('all')}
    </Button>
  );
}
