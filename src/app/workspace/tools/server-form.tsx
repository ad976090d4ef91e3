import type { FormEvent } from 'react';
import { useImmer } from 'use-immer';
import { v7 } from 'uuid';
import type { ToolServer, ToolServerAuth, ToolServerCreation } from '../../../../contract/tool-server.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import styles from './tools.module.css';

const kinds = ['none', 'key', 'account', 'client'] as const;
/** Headers have no case. */
const usualHeader = 'authorization';

type Draft = {
  name: string;
  url: string;
  kind: ToolServerAuth['kind'];
  header: string;
  clientId: string;
  tokenUrl: string;
  scope: string;
  /** The key, or the client's secret, as typed. */
  key: string;
};

function draftOf(server: ToolServer | null): Draft {
  const auth = server?.auth ?? { kind: 'none' };
  const client = { clientId: '', tokenUrl: '', scope: '', ...((auth.kind === 'client' || auth.kind === 'account') && auth) };
  return {
    name: server?.name ?? '',
    url: server?.url ?? '',
    kind: auth.kind,
    key: '',
    header: auth.kind === 'key' ? auth.header : usualHeader,
    clientId: client.clientId,
    tokenUrl: client.tokenUrl ?? '',
    scope: client.scope,
  };
}

function toCreation({ name, url, kind, header, clientId, tokenUrl, scope, key }: Draft): Required<ToolServerCreation> {
  const secret = key.trim();
  switch (kind) {
    case 'none':
      return { name, url, auth: { kind } };
    case 'key':
      return { name, url, auth: { kind, header: header.trim() || usualHeader, ...(secret && { key: secret }) } };
    case 'client':
      return { name, url, auth: { kind, clientId, tokenUrl, scope, ...(secret && { secret }) } };
    case 'account': {
      const address = tokenUrl.trim();
      return { name, url, auth: { kind, clientId, scope, ...(address && { tokenUrl: address }), ...(secret && { secret }) } };
    }
    default:
      return kind satisfies never;
  }
}

type ServerFormProps = { server: ToolServer | null; onSaved: (serverId: string) => void; onCancel: () => void };

/** The name, the address and the key of a tool server. A new one is asked for its tools at once. G3.31 */
export function ServerForm({ server, onSaved, onCancel }: ServerFormProps) {
  const { t } = useTranslation('tool-servers');
  const problemText = useProblemText();
  const { call, isBusy, problem, clear } = useMutation();
  const projectId = useWorkspace(({ project }) => project?.id ?? '');
  const [draft, setDraft] = useImmer<Draft>(() => draftOf(server));

  const field = (name: Exclude<keyof Draft, 'kind'>) => ({
    ...({ size: 's', autoComplete: 'off', spellCheck: false } as const),
    value: draft[name],
    onChange: (event: { target: { value: string } }) => {
      const { value } = event.target;
      clear();
      setDraft((next) => {
        next[name] = value;
      });
    },
  });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = toCreation(draft);
    const saved = server
      ? await call('toolServer.update', { params: { id: server.projectId, serverId: server.id }, body: given })
      : await call('toolServer.create', { params: { id: projectId }, body: given, idempotencyKey: v7() });
    if (!saved) return;
    const { id } = saved.value;
    // A server with a sign-in is asked after it.
    if (!server && draft.kind !== 'account') await call('toolServer.test', { params: { id: projectId, serverId: id } });
    onSaved(id);
  };

  const hasSecret = server?.auth.kind === 'account' && server.auth.tokenUrl !== undefined;
  const isProved = draft.kind === 'account' && (draft.key !== '' || draft.tokenUrl !== '');
  const kept = server?.keyLast4 ? t('keyKept', { last: server.keyLast4 }) : undefined;
  return (
    <form className={styles.form} aria-label={server ? t('words:edit') : t('connect')} onSubmit={(event) => void submit(event)}>
      <div className={styles.fields}>
        <TextField {...field('name')} label={t('words:name')} placeholder={t('nameExample')} required maxLength={60} />
        <TextField
          {...field('url')}
          type="url"
          label={t('words:address')}
          placeholder={t('addressExample')}
          hint={t('addressHint')}
          required
          maxLength={2_000}
        />
        <Select
          label={t('auth')}
          value={draft.kind}
          options={kinds.map((value) => ({ value, label: t(`auths.${value}`) }))}
          onChange={(kind) => {
            clear();
            setDraft((next) => {
              next.kind = kind;
            });
          }}
        />
        {draft.kind === 'key' && (
          <>
            <TextField {...field('header')} label={t('header')} hint={t('headerHint')} maxLength={64} />
            <TextField {...field('key')} type="password" label={t('words:key')} hint={kept ?? t('keyHint')} maxLength={4_000} />
          </>
        )}
        {draft.kind === 'account' && (
          <>
            <TextField {...field('clientId')} label={t('clientIdOptional')} hint={t('clientIdHint')} required={isProved} maxLength={500} />
            <TextField
              {...field('key')}
              type="password"
              label={t('secret')}
              hint={t(hasSecret ? 'secretKept' : 'secretHint')}
              maxLength={4_000}
            />
            {isProved && (
              <TextField
                {...field('tokenUrl')}
                type="url"
                label={t('tokenUrl')}
                hint={t('tokenUrlHint')}
                required={draft.key !== ''}
                maxLength={2_000}
              />
            )}
            <TextField {...field('scope')} label={t('scope')} maxLength={500} />
            <p className={styles.hint}>{t('accountHint')}</p>
          </>
        )}
        {draft.kind === 'client' && (
          <>
            <TextField {...field('tokenUrl')} type="url" label={t('tokenUrl')} required maxLength={2_000} />
            <TextField {...field('clientId')} label={t('clientId')} required maxLength={500} />
            <TextField {...field('key')} type="password" label={t('secret')} hint={kept ?? t('keyHint')} maxLength={4_000} />
            <TextField {...field('scope')} label={t('scope')} maxLength={500} />
          </>
        )}
      </div>
      <div className={styles.actions}>
        <p role="status" className={styles.danger}>
          {problem && problemText(problem)}
        </p>
        <Button size="s" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button size="s" type="submit" variant="primary" busy={isBusy}>
          {server ? t('words:save') : t('words:connect')}
        </Button>
      </div>
    </form>
  );
}
