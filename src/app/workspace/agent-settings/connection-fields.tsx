import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { errorOf } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { SlidersHorizontal } from '../../../ui/icons/icons.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { useListedModel } from '../models/use-listed-model.ts';
import { useModels } from '../models/use-models.ts';
import { isOwn, withConnection } from './agent-draft.ts';
import styles from './agent-settings.module.css';
import { ChangedMark } from './changed-mark.tsx';
import type { ModelFieldsProps } from './own-fields.tsx';

type ConnectionFieldProps = ModelFieldsProps & { connections: readonly ModelConnection[] };

/** The value of a choice without a connection: ids are not empty. */
const none = '';

/** Which connection answers for an agent, or that its own fields do. M3.20 */
export function ConnectionField({ agent, draft, changes, connections, readOnly, change }: ConnectionFieldProps) {
  const { t } = useTranslation('connections');
  const { show } = usePanels();
  const { demo } = useWorkspaceContext();
  const chooseModel = useListedModel(draft.model);
  const choose = (id: string) => {
    const connection = connections.find((one) => one.id === id) ?? null;
    const chosen = withConnection(draft, connection);
    change(chosen);
    void chooseModel(connection, chosen.model ?? draft.model, (model) => change({ model }));
  };
  if (demo) return <p className={styles.foldNote}>{t('agent.demo')}</p>;
  return (
    <>
      <Select
        label={t('agent.connection')}
        aside={'connectionId' in changes ? <ChangedMark /> : null}
        value={draft.connectionId ?? none}
        options={optionsOf(connections, draft.connectionId, t('agent.own'), t('agent.gone'))}
        disabled={readOnly}
        onChange={choose}
      />
      {isOwn(draft) && agent.apiConfiguration.willSimulate && <p className={styles.note}>{t('agent.simulated')}</p>}
      {!readOnly && (
        <Button
          size="s"
          icon={<SlidersHorizontal size={14} aria-hidden />}
          // The way to the connections would lose the changes.
          disabled={Object.keys(changes).length > 0}
          onClick={() => show({ settingsAgentId: null, window: { kind: 'connections', add: connections.length === 0 } })}
        >
          {t(connections.length === 0 ? 'add' : 'list')}
        </Button>
      )}
    </>
  );
}

/** The connection and the model that are asked where the agent's own fail. M3.20 */
export function FallbackFields({ form, draft, connections, changes, readOnly, change }: Omit<ConnectionFieldProps, 'agent'>) {
  const { t } = useTranslation('connections');
  const { fallbackId, fallbackModel } = draft;
  const list = useModels(fallbackId);
  const chooseModel = useListedModel(fallbackModel);
  const choose = (id: string) => {
    const connection = connections.find((one) => one.id === id) ?? null;
    const model = connection?.defaultModel ?? '';
    change({ fallbackId: id === none ? null : id, fallbackModel: model });
    void chooseModel(connection, model, (fallbackModel) => change({ fallbackModel }));
  };
  return (
    <details className={styles.fold} open={fallbackId !== null || undefined}>
      <summary>
        {t('agent.fallback')} {'fallback' in changes && <ChangedMark />}
      </summary>
      <div className={styles.folded}>
        <p className={styles.foldNote}>{t('agent.fallbackAbout')}</p>
        <Select
          label={t('agent.connection')}
          value={fallbackId ?? none}
          options={optionsOf(connections, fallbackId, t('agent.fallbackNone'), t('agent.gone'))}
          disabled={readOnly}
          onChange={choose}
        />
        {fallbackId !== null && (
          <ModelPicker
            label={t('agent.fallbackModel')}
            value={fallbackModel}
            list={list}
            error={errorOf(form, 'fallbackModel', t('agent.modelEmpty'))}
            disabled={readOnly}
            onChange={(model) => change({ fallbackModel: model })}
          />
        )}
      </div>
    </details>
  );
}

/** A chosen connection that is not in the list stays shown, so that nothing changes by itself. */
function optionsOf(connections: readonly ModelConnection[], chosen: string | null, first: string, gone: string) {
  const listed = connections.map(({ id, name }) => ({ value: id, label: name }));
  const isGone = chosen !== null && !connections.some(({ id }) => id === chosen);
  return [{ value: none, label: first }, ...listed, ...(isGone ? [{ value: chosen, label: gone }] : [])];
}
