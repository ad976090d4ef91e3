import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Moon, Sun } from '../../../ui/icons/icons.ts';
import { useTheme } from '../../../ui/theme.tsx';

export function ThemeButton() {
  const { t } = useTranslation('workspace');
  const { theme, toggle } = useTheme();
  return (
    <IconButton
      label={theme === 'dark' ? t('bar.toLight') : t('bar.toDark')}
      icon={theme === 'dark' ? <Sun size={17} /> : <Moon size={17} />}
      onClick={(event) => toggle({ x: event.clientX, y: event.clientY })}
    />
  );
}
