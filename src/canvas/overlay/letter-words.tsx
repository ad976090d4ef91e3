import type { LetterState } from '../../../contract/executions/question.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

/** What became of the letter to the person of a card. D5.12 */
export function LetterWords({ state }: { state: LetterState }) {
  const { t } = useTranslation('questions');
  return <>{t(`letterOnCard.${state}`)}</>;
}
