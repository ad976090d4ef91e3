import { useState } from 'react';
import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { CheckedLine } from '../../../ui/controls/fields/check-list.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { usePanels } from '../frame/panels.tsx';
import { useStartRun } from '../run/start/use-start-run.ts';
import { type ConnectionDraft, connectionDraft, connectionFields, creationOf, updateOf } from './connection-draft.ts';
import { ConnectionInputs } from './connection-inputs.tsx';
import { FurtherFields } from './further-fields.tsx';
import { ProviderChoice } from './provider-choice.tsx';
import { freeName } from './provider-facts.ts';
import { useCanvasAgents } from './use-canvas-agents.ts';
import { useConnect } from './use-connect.ts';

type ConnectionFormProps = {
  /** Null for a new one. */
  connection: ModelConnection | null;
  /** The names of the connections that there are. */
  others: readonly string[];
  /** Whether a run starts once a new one works. */
  starts?: boolean;
  onSaved: (connectionId: string) => void;
  onCancel: () => void;
};

/** The provider, the key and the address of a connection. A new one is tested at once, and given to the agents of the canvas. M3.22 M3.24 */
export function ConnectionForm({ connection, others, starts = false, onSaved, onCancel }: ConnectionFormProps) {
  const { t } = useTranslation('connections');
  const { show } = usePanels();
  const start = useStartRun();
  const edit = useMutation({ invalidates: ['modelConnection.list'] });
  const { connect, stage, problem: connectProblem } = useConnect();
  const projectId = useWorkspace(({ project }) => project?.id ?? '');
  const agents = useCanvasAgents();
  const form = useZodForm(connectionFields(connection === null), connectionDraft(connection));
  const { dirtyFields } = form.formState;
  const [isForAll, setForAll] = useState(true);

  const save = async (draft: ConnectionDraft) => {
    if (connection) {
      const saved = await edit.call('modelConnection.update', { params: { id: connection.id }, body: updateOf(draft, dirtyFields) });
      return saved && { id: connection.id, works: false };
    }
    const name = freeName(t(`agent.providers.${draft.provider}`).slice(0, 50), others);
    return connect(creationOf(draft, name, projectId), isForAll ? agents.map(({ id }) => id) : []);
  };
  const submit = async (draft: ConnectionDraft, starting: boolean) => {
    const saved = await save(draft);
    if (!saved) return;
    if (!starting || !saved.works) return onSaved(saved.id);
    show({ window: null });
    start();
  };
  const isBusy = stage !== null || edit.isBusy;
  return (
    <Form
      {...{ form, isBusy, onCancel, size: 's', atEnd: true, problem: connection ? edit.problem : connectProblem }}
      aria-label={t(connection ? 'form.editLabel' : 'form.label')}
      onSubmit={(draft) => submit(draft, starts)}
      submit={t(connection ? 'words:save' : starts ? 'form.connectAndStart' : 'words:connect')}
      status={stage && (stage.kind === 'testing' ? t('stage.testing', { model: stage.model }) : t(`stage.${stage.kind}`))}
      more={
        starts && (
          <Button size="s" busy={isBusy} onClick={form.handleSubmit((draft) => submit(draft, false))}>
            {t('words:connect')}
          </Button>
        )
      }
    >
      {!connection && <ProviderChoice form={form} />}
      <ConnectionInputs connection={connection} form={form} />
      <FurtherFields form={form} />
      {!connection && agents.length > 0 && (
        <CheckedLine label={t('form.forAll', { count: agents.length })} checked={isForAll} onToggle={setForAll} />
      )}
    </Form>
  );
}
