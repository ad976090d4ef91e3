import type { LocalServer, ModelConnection } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Laptop, X } from '../../../ui/icons/icons.ts';
import styles from './connections.module.css';
import { freeName } from './provider-facts.ts';
import { useCanvasAgents } from './use-canvas-agents.ts';
import { useConnect } from './use-connect.ts';
import { useLocalServers } from './use-local-servers.ts';

type LocalServersProps = { connections: readonly ModelConnection[]; onConnected: (connectionId: string) => void };

/** The servers of models that were found on this computer, in the window of connections. */
export function LocalServers({ connections, onConnected }: LocalServersProps) {
  const { offered, dismiss } = useLocalServers();
  return offered(connections).map((server) => (
    <div key={server.address} className={styles.local} data-testid="local-server">
      <Laptop size={16} aria-hidden />
      <LocalServerOffer {...{ server, connections, onConnected, dismiss }} />
    </div>
  ));
}

type OfferProps = LocalServersProps & { server: LocalServer; dismiss: (address: string) => void };

/** One line about a server on this computer, and one press that connects it and gives it to the agents of the canvas. M3.29 */
export function LocalServerOffer({ server: { provider, address, models }, connections, onConnected, dismiss }: OfferProps) {
  const { t } = useTranslation('connections');
  const problemText = useProblemText();
  const agents = useCanvasAgents();
  const { connect, stage, problem } = useConnect();
  const server = t(`agent.providers.${provider}`);
  const use = async () => {
    const name = freeName(
      server,
      connections.map((one) => one.name),
    );
    const connected = await connect(
      { provider, name, address },
      agents.map(({ id }) => id),
    );
    if (connected) onConnected(connected.id);
  };
  return (
    <>
      <p role="status">{problem ? t('local.failed', { problem: problemText(problem) }) : t('local.found', { server, count: models })}</p>
      <Button size="xs" variant="primary" busy={stage !== null} onClick={() => void use()}>
        {t('local.use')}
      </Button>
      <IconButton label={t('local.dismiss')} size={28} icon={<X size={15} />} onClick={() => dismiss(address)} />
    </>
  );
}
