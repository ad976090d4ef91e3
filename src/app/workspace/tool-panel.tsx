import { Hand, MousePointer2 } from 'lucide-react';
import type { CanvasMode } from '../../canvas/canvas-view.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import panel from './panel.module.css';
import styles from './tool-panel.module.css';
import { useMoment } from './use-moment.ts';
import { useSurroundings } from './workspace-context.ts';

const modes = [
  { mode: 'hand', icon: <Hand size={16} />, key: 'H' },
  { mode: 'select', icon: <MousePointer2 size={16} />, key: 'V' },
] as const satisfies readonly { mode: CanvasMode; icon: React.ReactNode; key: string }[];

/** What a drag on empty canvas does: the view's hand, or the frame that selects. */
export function ToolPanel() {
  const { t } = useTranslation('workspace');
  const { view } = useSurroundings();
  const chosen = useMoment('mode');
  return (
    <section className={`${panel.panel} ${styles.tools}`} aria-label={t('tools.label')} data-panel data-testid="tools">
      {modes.map(({ mode, icon, key }) => (
        <IconButton
          key={mode}
          label={t(`tools.${mode}`)}
          shortcut={key}
          tooltipSide="left"
          icon={icon}
          pressed={chosen === mode}
          onClick={() => view.update({ mode })}
        />
      ))}
    </section>
  );
}
