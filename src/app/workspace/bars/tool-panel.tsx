import type { CanvasMode, EphemeralKey, EphemeralState } from '../../../canvas/canvas-view.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Hand, Magnet, MousePointer2 } from '../../../ui/icons/icons.ts';
import panel from '../panel.module.css';
import { useWorkspaceContext } from '../workspace-context.ts';
import styles from './tool-panel.module.css';

const modes = [
  { mode: 'hand', icon: <Hand size={16} />, key: 'H' },
  { mode: 'select', icon: <MousePointer2 size={16} />, key: 'V' },
] as const satisfies readonly { mode: CanvasMode; icon: React.ReactNode; key: string }[];

/** Chooses the tool of a drag on the empty canvas (move the view or select), and whether dragged cards snap to the grid. */
export function ToolPanel() {
  const { t } = useTranslation('workspace');
  const { view, readOnly } = useWorkspaceContext();
  const chosen = useEphemeralState('mode');
  const snaps = useEphemeralState('snaps');
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
      {!readOnly && (
        <>
          <span className={styles.divider} />
          <IconButton
            label={t('tools.snap')}
            tooltipSide="left"
            icon={<Magnet size={16} />}
            pressed={snaps}
            onClick={() => view.update({ snaps: !snaps })}
          />
        </>
      )}
    </section>
  );
}

/** Selects a part of the canvas's ephemeral state. The component renders again only when that part changes. */
function useEphemeralState<K extends EphemeralKey>(key: K): EphemeralState[K] {
  const { view } = useWorkspaceContext();
  return useObserved(view, () => view.ephemeral[key]);
}
