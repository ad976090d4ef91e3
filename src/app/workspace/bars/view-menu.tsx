import type { ReactElement } from 'react';
import type { CanvasMode, EphemeralKey, EphemeralState } from '../../../canvas/canvas-view.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Scan } from '../../../ui/icons/icons.ts';
import { zoomToActualSize } from '../camera/move-camera.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

const modes = [
  { value: 'hand', shortcut: 'H' },
  { value: 'select', shortcut: 'V' },
] as const satisfies readonly { value: CanvasMode; shortcut: string }[];

/** How the canvas is seen and handled: its size, the tool of a drag on empty canvas, the grid and the map. `trigger`: the zoom. W2.05 */
export function ViewMenu({ trigger }: { trigger: ReactElement<Record<string, unknown>> }) {
  const { t } = useTranslation('workspace');
  const { view, readOnly } = useWorkspaceContext();
  const { panels, show } = usePanels();
  const mode = useEphemeralState('mode');
  const snaps = useEphemeralState('snaps');
  return (
    <Menu side="top" align="center" trigger={trigger}>
      <MenuItem icon={<Scan size={16} aria-hidden />} shortcut="0" onSelect={() => zoomToActualSize(view)}>
        {t('zoom.reset')}
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label={t('view.tool')}
        value={mode}
        options={modes.map(({ value, shortcut }) => ({ value, shortcut, label: t(`view.${value}`) }))}
        onChoose={(chosen) => view.update({ mode: chosen })}
      />
      <MenuSeparator />
      {!readOnly && (
        <MenuCheck checked={snaps} onChange={(isOn) => view.update({ snaps: isOn })}>
          {t('view.snap')}
        </MenuCheck>
      )}
      <MenuCheck checked={panels.minimap} shortcut="M" onChange={(isOn) => show({ minimap: isOn })}>
        {t('view.map')}
      </MenuCheck>
    </Menu>
  );
}

/** Selects a part of the canvas's ephemeral state. The component renders again only when that part changes. */
function useEphemeralState<K extends EphemeralKey>(key: K): EphemeralState[K] {
  const { view } = useWorkspaceContext();
  return useObserved(view, () => view.ephemeral[key]);
}
