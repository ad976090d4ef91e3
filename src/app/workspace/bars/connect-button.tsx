import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Cable } from '../../../ui/icons/icons.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { BarButton } from './bar-button.tsx';

/** The one way to what calls the team, starts it by itself, and is told by it. */
export function ConnectButton() {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  return (
    <BarButton
      icon={<Cable size={16} aria-hidden />}
      about={t('bar.connectAbout')}
      shortcut={shortcutOf('connect')}
      onClick={() => show({ window: { kind: 'connect' } })}
    >
      {t('words:connect')}
    </BarButton>
  );
}
