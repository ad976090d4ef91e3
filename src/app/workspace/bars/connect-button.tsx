import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Cable } from '../../../ui/icons/icons.ts';
import { usePanels } from '../panels.tsx';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';

/** The one way to what calls the team, starts it by itself, and is told by it. */
export function ConnectButton() {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  return (
    <Tooltip label={t('bar.connectAbout')} shortcut={shortcutLabel('alt+K')}>
      <Button variant="ghost" size="s" icon={<Cable size={16} aria-hidden />} onClick={() => show({ window: { kind: 'connect' } })}>
        {t('bar.connect')}
      </Button>
    </Tooltip>
  );
}
