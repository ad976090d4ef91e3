import { Segmented } from './controls/fields/segmented.tsx';
import { changeLanguage } from './i18n/change-language.ts';
import { languages } from './i18n/languages.ts';
import { useTranslation } from './i18n/use-translation.ts';

/** The RU and EN buttons. */
export function LanguageSwitch() {
  const { t, language } = useTranslation('common');
  const options = languages.map((value) => ({ value, label: value.toUpperCase() }));
  return <Segmented label={t('language')} value={language} options={options} onChange={(next) => void changeLanguage(next)} />;
}
