import * as m from 'framer-motion/m';
import { useEffect, useState } from 'react';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { X } from '../../../ui/icons/icons.ts';
import { panelFromRight, sheet } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { ComparisonView } from './comparison-view.tsx';
import { VersionList } from './version-list.tsx';

/** The versions of the canvas beside it: their list, or the comparison with one of them. */
export function VersionsPanel() {
  const { t } = useTranslation('versions');
  const { show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const isComparing = useWorkspace(({ comparison }) => comparison !== null);
  const [name, setName] = useState('');
  const appearing = useAppearing(mobile ? sheet : panelFromRight);
  useEffect(() => () => void dispatch({ type: 'version.closeComparison' }), [dispatch]);
  return (
    <m.aside
      {...appearing}
      className={`${panel.panel} ${panel.side} ${panel.sheet}`}
      aria-label={t('title')}
      data-panel
      data-testid="versions"
      data-comparing={isComparing || undefined}
    >
      <header className={panel.head}>
        <h2>{t('title')}</h2>
        <IconButton
          label={t('close')}
          shortcut={shortcutOf('toggleVersions')}
          size={mobile ? 40 : 32}
          icon={<X size={18} />}
          onClick={() => show({ versions: false })}
        />
      </header>
      {isComparing ? <ComparisonView name={name} /> : <VersionList onOpened={setName} />}
    </m.aside>
  );
}
