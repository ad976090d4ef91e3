import { BareIconButton, type BareIconButtonProps } from './controls/buttons/bare-icon-button.tsx';
import { useTranslation } from './i18n/use-translation.ts';
import { Moon, Sun } from './icons/first-icons.ts';
import { useTheme } from './theme.tsx';
import styles from './theme-toggle.module.css';

/** Switches between light and dark; the new theme spreads as a circle from this button. */
export function ThemeToggle({ size = 32 }: { size?: BareIconButtonProps['size'] }) {
  const { t } = useTranslation('common');
  const { theme, toggle } = useTheme();
  const label = theme === 'dark' ? t('lightTheme') : t('darkTheme');
  return (
    <BareIconButton
      size={size}
      label={label}
      data-tip
      icon={
        <>
          <Sun size={17} className={styles.light} />
          <Moon size={17} className={styles.dark} />
        </>
      }
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        toggle({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
      }}
    />
  );
}
