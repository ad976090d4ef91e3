import { IconButton, type IconButtonProps } from './controls/icon-button.tsx';
import { useTranslation } from './i18n/use-translation.ts';
import { Moon, Sun } from './icons.ts';
import { useTheme } from './theme.tsx';

/** Switches between light and dark; the other theme opens from this button. */
export function ThemeToggle({ size = 32 }: { size?: IconButtonProps['size'] }) {
  const { t } = useTranslation('common');
  const { theme, toggle } = useTheme();
  return (
    <IconButton
      size={size}
      label={theme === 'dark' ? t('theme.toLight') : t('theme.toDark')}
      icon={theme === 'dark' ? <Sun size={17} /> : <Moon size={17} />}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        toggle({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
      }}
    />
  );
}
