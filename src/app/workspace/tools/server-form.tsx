import { v7 } from 'uuid';
import { z } from 'zod';
import type { ToolServer, ToolServerCreation } from '../../../../contract/tool-server.ts';
import { Form } from '../../../ui/form/form.tsx';
import { FieldGrid, FormSelect, FormText } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import styles from './tools.module.css';

const kinds = ['none', 'key', 'account', 'client'] as const;
/** Headers have no case. */
const usualHeader = 'authorization';

const fields = z
  .object({
    name: z.string().trim().min(1),
    url: z.string().trim().min(1),
    kind: z.enum(kinds),
    header: z.string(),
    clientId: z.string(),
    tokenUrl: z.string(),
    scope: z.string(),
    /** The key, or the client's secret, as typed. */
    key: z.string(),
  })
  .superRefine(({ kind, clientId, tokenUrl, key }, { addIssue }) => {
    const isProved = kind === 'client' || (kind === 'account' && (key !== '' || tokenUrl !== ''));
    if (isProved && clientId.trim() === '') addIssue({ code: 'custom', path: ['clientId'] });
    if (isProved && (kind === 'client' || key !== '') && tokenUrl.trim() === '') addIssue({ code: 'custom', path: ['tokenUrl'] });
  });
type Draft = z.infer<typeof fields>;

function draftOf(server: ToolServer | null): Draft {
  const auth = { kind: 'none' as const, header: usualHeader, clientId: '', tokenUrl: '', scope: '', ...server?.auth };
  return { name: server?.name ?? '', url: server?.url ?? '', key: '', ...auth };
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
  const { call, isBusy, problem } = useMutation();
  const projectId = useWorkspace(({ project }) => project?.id ?? '');
  const form = useZodForm(fields, draftOf(server));
  const { kind, key, tokenUrl } = form.watch();

  const submit = async (draft: Draft) => {
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
  const isProved = kind === 'account' && (key !== '' || tokenUrl !== '');
  const kept = server?.keyLast4 ? t('keyKept', { last: server.keyLast4 }) : undefined;
  const field = <Name extends keyof Draft>(name: Name) =>
    ({ form, name, size: 's', autoComplete: 'off', spellCheck: false, error: t('words:fieldRequired') }) as const;
  const secret = { ...field('key'), type: 'password', maxLength: 4_000 } as const;
  const tokenAddress = { ...field('tokenUrl'), type: 'url', label: t('tokenUrl'), maxLength: 2_000 } as const;
  return (
    <Form
      {...{ form, problem, isBusy, onCancel, onSubmit: submit, size: 's', atEnd: true }}
      aria-label={server ? t('words:edit') : t('connect')}
      submit={server ? t('words:save') : t('words:connect')}
    >
      <FieldGrid>
        <FormText {...field('name')} label={t('words:name')} placeholder={t('nameExample')} required maxLength={60} />
        <FormText
          {...field('url')}
          type="url"
          label={t('words:address')}
          placeholder={t('addressExample')}
          hint={t('addressHint')}
          required
          maxLength={2_000}
        />
        <FormSelect form={form} name="kind" label={t('auth')} options={kinds.map((value) => ({ value, label: t(`auths.${value}`) }))} />
        {kind === 'key' && (
          <>
            <FormText {...field('header')} label={t('header')} hint={t('headerHint')} maxLength={64} />
            <FormText {...secret} label={t('words:key')} hint={kept ?? t('keyHint')} />
          </>
        )}
        {kind === 'account' && (
          <>
            <FormText {...field('clientId')} label={t('clientIdOptional')} hint={t('clientIdHint')} required={isProved} maxLength={500} />
            <FormText {...secret} label={t('secret')} hint={t(hasSecret ? 'secretKept' : 'secretHint')} />
            {isProved && <FormText {...tokenAddress} hint={t('tokenUrlHint')} required={key !== ''} />}
            <FormText {...field('scope')} label={t('scope')} maxLength={500} />
            <p className={styles.hint}>{t('accountHint')}</p>
          </>
        )}
        {kind === 'client' && (
          <>
            <FormText {...tokenAddress} required />
            <FormText {...field('clientId')} label={t('clientId')} required maxLength={500} />
            <FormText {...secret} label={t('secret')} hint={kept ?? t('keyHint')} />
            <FormText {...field('scope')} label={t('scope')} maxLength={500} />
          </>
        )}
      </FieldGrid>
    </Form>
  );
}
