import { useState } from 'react';
import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plus, Server, SlidersHorizontal } from '../../../ui/icons/icons.ts';
import { Loaded } from '../console/files/loaded.tsx';
import { EmptyState } from '../lists/empty-state.tsx';
import { MasterDetail, MasterRow } from '../lists/master-detail.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { ConnectionView } from './connection-view.tsx';
import { LocalServers } from './local-servers.tsx';
import { useConnections } from './use-connections.ts';

/** The connection that is shown, or the form of a new one; null for the first. */
type Chosen = { id: string } | 'new' | null;

export type ConnectionsProps = { projectId: string; first: string | null; adds: boolean; starts: boolean };

/** The servers of models that agents may use, and a form for another one. M3.22 */
export function Connections({ projectId, first, adds, starts }: ConnectionsProps) {
  const { t } = useTranslation('connections');
  const [chosen, setChosen] = useState<Chosen>(() => (adds ? 'new' : first === null ? null : { id: first }));
  const remote = useConnections(projectId);
  const choose = (id: string) => setChosen({ id });
  return (
    <div data-testid="connections-window">
      <Loaded remote={remote}>
        {(connections) => {
          const wanted = chosen !== null && chosen !== 'new' ? chosen.id : null;
          const shown =
            chosen === 'new' ? null : (connections.find(({ id }) => id === wanted) ?? (wanted === null ? connections[0] : null));
          const others = connections.map(({ name }) => name);
          const rows = connections.map((connection) => (
            <Row
              key={connection.id}
              connection={connection}
              isShown={connection.id === shown?.id}
              onShow={() => setChosen({ id: connection.id })}
            />
          ));
          return (
            <MasterDetail label={t('list')} rows={rows} add={t('add')} onAdd={() => setChosen('new')}>
              <LocalServers connections={connections} onConnected={choose} />
              {chosen === 'new' && (
                <ConnectionForm connection={null} {...{ others, starts }} onSaved={choose} onCancel={() => setChosen(null)} />
              )}
              {shown && <ConnectionView key={shown.id} connection={shown} others={others} onRemoved={() => setChosen(null)} />}
              {chosen === null && !shown && (
                <EmptyState
                  icon={<SlidersHorizontal size={19} aria-hidden />}
                  title={t('emptyTitle')}
                  action={
                    <Button variant="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setChosen('new')}>
                      {t('add')}
                    </Button>
                  }
                >
                  {t('empty')}
                </EmptyState>
              )}
            </MasterDetail>
          );
        }}
      </Loaded>
    </div>
  );
}

function Row({ connection, isShown, onShow }: { connection: ModelConnection; isShown: boolean; onShow: () => void }) {
  const { t } = useTranslation('connections');
  const { name, provider, owner, address, modelCount, modelsProblem, tested } = connection;
  const label = t(`agent.providers.${provider}`);
  const place = address !== null && URL.canParse(address) ? new URL(address).host : label;
  const facts = [name === place ? '' : place, modelCount === null ? t('noModels') : t('modelCount', { count: modelCount })];
  return (
    <MasterRow icon={<Server size={16} aria-hidden />} name={name} about={facts.filter(Boolean).join(' · ')} {...{ isShown, onShow }}>
      {owner === 'operator' && <Badge>{t('operator')}</Badge>}
      {owner === 'project' && <Badge>{t('ofProject')}</Badge>}
      {tested?.problem ? (
        <Badge tone="danger">{t('failed')}</Badge>
      ) : tested ? (
        <Badge tone="success">{t('works')}</Badge>
      ) : (
        modelsProblem && <Badge tone="warning">{t('listFailed')}</Badge>
      )}
    </MasterRow>
  );
}
