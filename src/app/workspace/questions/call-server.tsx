import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';
import { ServerText } from '../tools/server-text.tsx';
import styles from './questions.module.css';

/** The tool server that a call goes to, and its own name for the tool: models call it by another one. */
export function CallServer({ projectId, tool }: { projectId: string; tool: string }) {
  const { t } = useTranslation('questions');
  const tools = useRemoteData('listTools', [projectId, null], projectId);
  const servers = useRemoteData('listToolServers', [projectId], projectId);
  const found = tools.value?.find(({ callName }) => callName === tool);
  const server = servers.value?.find(({ id }) => id === found?.serverId);
  if (!found || !server) return null;
  return (
    <p className={styles.place} data-testid="asked-server">
      {t('callServer')}: <bdi>{server.name}</bdi> ·{' '}
      <code>
        <ServerText text={found.name} />
      </code>
      {server.url && <bdi> ({server.url})</bdi>}
    </p>
  );
}
