import type { InputFile } from '../../../contract/input.ts';
import { useTranslation } from '../i18n/use-translation.ts';

type Props = { file: Pick<InputFile, 'encoding' | 'replaced'>; className?: string | undefined };

/** Says in which encoding a file was read, and how many of its bytes could not be. Draws nothing for plain UTF-8. */
export function ReadAs({ file: { encoding, replaced }, className }: Props) {
  const { t } = useTranslation('inputs');
  if (encoding === null) return null;
  const parts = [t('readAs', { encoding }), ...(replaced > 0 ? [t('replaced', { count: replaced })] : [])];
  return (
    <span className={className} data-testid="read-as">
      {parts.join('; ')}
    </span>
  );
}
