import { useMemo } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import styles from './simulated-note.module.css';

/** Says before the first run how many agents of the canvas have no model, and opens the form for a key. M3.30 */
export function SimulatedNote() {
  const agents = useWorkspace((state) => state.agents.byId);
  const placed = useNodeCounts(({ byAgent }) => byAgent);
  const simulated = useMemo(() => [...placed.keys()].filter((id) => agents[id]?.apiConfiguration.willSimulate).length, [placed, agents]);
  return simulated > 0 && <Note simulated={simulated} total={placed.size} />;
}

function Note({ simulated, total }: { simulated: number; total: number }) {
  const { t } = useTranslation('connections');
  const { show } = usePanels();
  return (
    <p className={styles.note} data-testid="simulated-note">
      {simulated === total ? t('simulated.all') : t('simulated.some', { count: simulated })}{' '}
      <button type="button" onClick={() => show({ window: { kind: 'connections', add: true, start: true } })}>
        {t('simulated.addKey')}
      </button>
    </p>
  );
}
