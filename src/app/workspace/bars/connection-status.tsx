import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import styles from './bars.module.css';
import { connectionDisplayState } from './connection-display-state.ts';

/** Shows the state of the live channel. A click connects or disconnects it, if there is one. R05.01 */
export function ConnectionStatus() {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const connection = useWorkspace(connectionDisplayState);
  const hasProject = useWorkspace((state) => state.project !== null);
  // A demonstration has no connection.
  if (!hasProject || connection === 'demo') return null;
  const press = connection === 'connected' ? 'realtime.disconnect' : connection === 'disconnected' ? 'realtime.connect' : null;
  return (
    <Tooltip label={t(`connection.${connection}Hint`)}>
      <button
        type="button"
        className={styles.connection}
        data-state={connection}
        data-testid="connection"
        aria-disabled={press === null || undefined}
        onClick={() => press && void dispatch({ type: press })}
      >
        <i className={styles.dot} />
        {t(`connection.${connection}`)}
      </button>
    </Tooltip>
  );
}
