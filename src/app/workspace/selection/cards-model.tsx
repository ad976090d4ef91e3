import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useConnections } from '../connections/use-connections.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { useModels, useOfferedModels } from '../models/use-models.ts';
import type { ModelsOfCards } from './models-of-cards.ts';
import styles from './selection.module.css';

/** A model with the connection that serves it; null for the own server of each agent. */
export type ChosenModel = { connectionId: string | null; model: string };

const own = 'own';
const mixed = 'mixed';

type Props = { models: ModelsOfCards; chosen: ChosenModel | null; onChoose: (chosen: ChosenModel | null) => void };

/** The connection and the model of several agents. A model belongs to a server: it can be chosen once all agents have the same one. */
export function CardsModel({ models, chosen, onChoose }: Props) {
  const { t } = useTranslation('selection');
  const { t: ofConnections } = useTranslation('connections');
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const connections = useConnections(projectId).value ?? [];
  const connectionId = chosen ? chosen.connectionId : models.connectionId;
  const isOwn = connectionId === null;
  const hasOneServer = isOwn ? models.ownProvider !== null : connectionId !== undefined;
  const connected = useModels(connectionId ?? null);
  const offered = useOfferedModels(models.ownProvider ?? 'openai', isOwn);
  const model = chosen?.model ?? models.model ?? '';
  const choose = (value: string) => {
    if (value === mixed) return onChoose(null);
    const next = value === own ? null : value;
    // Agents of several providers have no model in common on their own servers.
    const model = next === null && models.ownProvider === null ? '' : modelFor(connections, next, models);
    onChoose({ connectionId: next, model });
  };
  const reason = connectionId === undefined ? 'severalServers' : hasOneServer ? null : 'severalProviders';
  return (
    <>
      <Select
        label={ofConnections('agent.connection')}
        value={connectionId === undefined ? mixed : (connectionId ?? own)}
        options={[
          ...(models.connectionId === undefined ? [{ value: mixed, label: t('mixed') }] : []),
          { value: own, label: ofConnections('agent.own') },
          ...connections.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={choose}
      />
      <ModelPicker
        label={ofConnections('agent.modelName')}
        list={isOwn ? offered : connected}
        openLabel={ofConnections('agent.modelNames')}
        disabled={!hasOneServer}
        hint={hasOneServer && model === '' ? t('mixed') : undefined}
        value={hasOneServer ? model : ''}
        ended={chosen === null ? models.agents.find(({ apiConfiguration }) => apiConfiguration.ended)?.apiConfiguration.ended : undefined}
        isSimulated={isOwn && models.agents.every(({ apiConfiguration }) => apiConfiguration.willSimulate === true)}
        onChange={(name) => onChoose({ connectionId: connectionId ?? null, model: name })}
      />
      {reason && <p className={styles.note}>{t(`model.${reason}`, { count: models.agents.length })}</p>}
    </>
  );
}

/** The model that comes with a connection: its default, else the one that all agents have. */
function modelFor(connections: readonly ModelConnection[], id: string | null, { model }: ModelsOfCards): string {
  return connections.find((one) => one.id === id)?.defaultModel ?? model ?? '';
}
