import { useState } from 'react';
import { providerModels } from '../../../../contract/agent.ts';
import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { PencilLine, RefreshCw, Stethoscope, Trash2 } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { Detail } from '../lists/master-detail.tsx';
import { firstModel } from '../models/model-groups.ts';
import { useModels } from '../models/use-models.ts';
import { useDayText } from '../time/use-day-text.ts';
import { ConnectionForm } from './connection-form.tsx';
import styles from './connections.module.css';
import { TestSigns } from './test-signs.tsx';
import { UseForAll } from './use-for-all.tsx';

type ConnectionViewProps = { connection: ModelConnection; others: readonly string[]; onRemoved: () => void };

/** A connection: how it is reached, what the last test has shown, and which agents use it. M3.22 */
export function ConnectionView({ connection, others, onRemoved }: ConnectionViewProps) {
  const { t, language } = useTranslation('connections');
  const problemText = useProblemText();
  const { call, isBusy, problem } = useMutation({ invalidates: ['modelConnection.list'] });
  const [doing, setDoing] = useState<'test' | 'read' | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { id, name, owner, tested, modelsProblem, modelsAt } = connection;
  const list = useModels(id, modelsAt ?? '');
  const known = providerModels[connection.provider].map(({ name: model }) => model);
  const facts = useFacts(connection);
  const usual = firstModel(connection, list.models, known);

  if (isEditing) {
    return <ConnectionForm connection={connection} others={others} onSaved={() => setEditing(false)} onCancel={() => setEditing(false)} />;
  }
  const act = async (what: 'test' | 'read') => {
    setDoing(what);
    if (what === 'test') await call('modelConnection.test', { params: { id }, body: usual === null ? {} : { model: usual } });
    else await call('modelConnection.readModels', { params: { id } });
    setDoing(null);
  };
  const remove = async () => {
    setRemoving(false);
    const evenIfUsed = connection.agents > 0 ? 'true' : 'false';
    if (await call('modelConnection.remove', { params: { id }, query: { evenIfUsed } })) onRemoved();
  };
  return (
    <Detail
      name={name}
      facts={facts}
      problem={problem ? problemText(problem) : (tested?.problem?.message ?? modelsProblem?.message)}
      buttons={
        <>
          <Button
            size="s"
            variant="primary"
            icon={<Stethoscope size={14} aria-hidden />}
            busy={isBusy && doing === 'test'}
            onClick={() => void act('test')}
          >
            {t(isBusy && doing === 'test' ? 'testing' : 'words:test')}
          </Button>
          <Button size="s" icon={<RefreshCw size={14} aria-hidden />} busy={isBusy && doing === 'read'} onClick={() => void act('read')}>
            {t('readModels')}
          </Button>
          {owner !== 'operator' && (
            <>
              <Button size="s" icon={<PencilLine size={14} aria-hidden />} onClick={() => setEditing(true)}>
                {t('words:edit')}
              </Button>
              <Button size="s" icon={<Trash2 size={14} aria-hidden />} onClick={() => setRemoving(true)}>
                {t('words:removeForGood')}
              </Button>
            </>
          )}
        </>
      }
    >
      {tested ? (
        <>
          <TestSigns tested={tested} />
          <Tested tested={tested} language={language} />
        </>
      ) : (
        <p className={styles.hint}>{t('signs.none')}</p>
      )}
      <UseForAll connection={connection} list={list} />
      <Removal connection={connection} isOpen={isRemoving} onConfirm={() => void remove()} onClose={() => setRemoving(false)} />
    </Detail>
  );
}

/** What is known of a connection. */
function useFacts(connection: ModelConnection): string[] {
  const { t } = useTranslation('connections');
  const dayText = useDayText();
  const { provider, owner, address, keyLast4, hasKey, headerNames, modelCount, modelsAt, agents } = connection;
  return [
    owner === 'operator' ? t('operatorAbout') : '',
    [t(`agent.providers.${provider}`), address].filter(Boolean).join(' · '),
    keyLast4 ? t('keyKept', { last: keyLast4 }) : hasKey ? '' : t('noKey'),
    headerNames.length > 0 ? t('headersKept', { names: headerNames.join(', ') }) : '',
    modelCount === null
      ? t('noModels')
      : [t('modelCount', { count: modelCount }), modelsAt && t('listAt', { when: dayText(modelsAt) })].filter(Boolean).join(' · '),
    agents === 0 ? t('unused') : t('usedBy', { count: agents }),
  ];
}

function Tested({ tested, language }: { tested: NonNullable<ModelConnection['tested']>; language: string }) {
  const { t } = useTranslation('connections');
  const dayText = useDayText();
  const seconds = (tested.ms / 1_000).toLocaleString(language, { maximumFractionDigits: 1 });
  // A name's own direction must not turn the sentence around it.
  const model = `\u2068${tested.model}\u2069`;
  return <p className={styles.hint}>{t('testedAt', { when: dayText(tested.at), model, seconds })}</p>;
}

type RemovalProps = { connection: ModelConnection; isOpen: boolean; onConfirm: () => void; onClose: () => void };

/** Asks before a connection is removed, and names the agents that use it. */
function Removal({ connection: { id, name, agents: count }, isOpen, onConfirm, onClose }: RemovalProps) {
  const { t } = useTranslation('connections');
  const names = useWorkspace(({ agents: { byId, order } }) =>
    order
      .flatMap((agentId) => {
        const agent = byId[agentId];
        const { connectionId, fallback } = agent?.apiConfiguration ?? {};
        return agent && (connectionId === id || fallback?.connectionId === id) ? [agent.title] : [];
      })
      .join(', '),
  );
  return (
    <ConfirmDialog
      open={isOpen}
      title={t('words:askToRemove', { name })}
      action={t('words:removeForGood')}
      destructive
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('removeText')}</p>
      {count > 0 && <p>{names === '' ? t('removeOthers', { count }) : t('removeUsed', { count, names })}</p>}
    </ConfirmDialog>
  );
}
