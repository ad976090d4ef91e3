import { useState } from 'react';
import type { ResponseTo } from '../../../contract/call.ts';
import type { Trigger, TriggerSettings } from '../../../contract/trigger.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import list from '../api-list/api-list.module.css';
import { CopyButton } from '../workspace/marks/copy-button.tsx';
import styles from './triggers.module.css';
import type { Triggers } from './use-triggers.ts';
import { commandOf } from './webhook-command.ts';
import { exampleEvent, exampleOf } from './webhook-example.ts';

type WebhookPartProps = { trigger: Trigger; settings: Extract<TriggerSettings, { kind: 'webhook' }>; triggers: Triggers };

/** How programs reach a webhook: its address and secret, the steps of its sender, a ready command, and an example to try. L4.05 */
export function WebhookPart({ trigger, settings, triggers }: WebhookPartProps) {
  const { t } = useTranslation('triggers');
  const { secret } = triggers;
  const [body, setBody] = useState(() =>
    exampleOf(settings, { title: t('example.title'), text: t('example.text'), of: (name) => t('example.of', { name }) }),
  );
  const own = secret?.triggerId === trigger.id ? secret.secret : null;
  const { scheme } = settings;
  const event = exampleEvent(settings);
  const address = trigger.address ?? '';
  return (
    <>
      <Reach trigger={trigger} triggers={triggers} />
      <details className={styles.more}>
        <summary>{t(`steps.title`)}</summary>
        <ol className={styles.steps}>
          {(['first', 'second', 'third'] as const).map((step) => (
            <li key={step}>{t(`steps.${scheme}.${step}`)}</li>
          ))}
        </ol>
      </details>
      <TryExample trigger={trigger} triggers={triggers} body={body} event={event} onType={setBody} />
      <section className={styles.section} aria-label={t('command.title')}>
        <h4>{t('command.title')}</h4>
        <p className={styles.note}>{t(own === null ? 'command.withoutSecret' : 'command.hint')}</p>
        <Code text={commandOf({ scheme, address, secret: own, event, body: compact(body) })} what={t('command.lines')} name="command" />
      </section>
    </>
  );
}

/** The address and the secret of a trigger that programs call. The secret is shown once, and renewed with a day for the change. */
export function Reach({ trigger: { id, name, address }, triggers }: { trigger: Trigger; triggers: Triggers }) {
  const { t } = useTranslation('triggers');
  const momentText = useMomentText();
  const { secret, isBusy } = triggers;
  const [isAsking, setAsking] = useState(false);
  const own = secret?.triggerId === id ? secret : null;
  const until = own?.earlierUntil ? momentText(own.earlierUntil) : null;
  return (
    <section className={styles.section} aria-label={t('reach.title')}>
      <h4>{t('reach.title')}</h4>
      <Code text={address ?? ''} what={t('words:address')} name="address" />
      {own && (
        <div className={list.created}>
          <p role="status">
            {t('reach.secretOnce')} {until !== null && t('reach.earlier', { until })}
          </p>
          <Code text={own.secret} what={t('reach.secret')} name="secret" />
        </div>
      )}
      {isAsking ? (
        <div className={styles.asking}>
          <p>{t('reach.renewText')}</p>
          <div className={styles.act}>
            <Button
              size="s"
              variant="primary"
              busy={isBusy}
              onClick={() => void triggers.renewSecret(id).then((isDone) => isDone && setAsking(false))}
            >
              {t('words:makeNewSecret')}
            </Button>
            <Button size="s" autoFocus onClick={() => setAsking(false)}>
              {t('words:keep')}
            </Button>
          </div>
        </div>
      ) : (
        <div className={styles.act}>
          <Button size="s" aria-label={t('reach.newSecretOf', { name })} onClick={() => setAsking(true)}>
            {t('words:newSecret')}
          </Button>
          {own === null && <span className={styles.note}>{t('reach.secretGone')}</span>}
        </div>
      )}
    </section>
  );
}

function Code({ text, what, name }: { text: string; what: string; name: string }) {
  const { t } = useTranslation('triggers');
  return (
    <div className={styles.copied}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by the keyboard */}
      <section tabIndex={0} aria-label={what}>
        <pre data-testid={`trigger-${name}`}>{text}</pre>
      </section>
      <CopyButton text={text} label={t('copyOf', { what })} done={t('common:copied')} />
    </div>
  );
}

type TryExampleProps = { trigger: Trigger; triggers: Triggers; body: string; event: string | null; onType: (body: string) => void };

/** Says what would become of an example: the task of its run, or why it starts none. L4.06 */
function TryExample({ trigger, triggers, body, event, onType }: TryExampleProps) {
  const { t } = useTranslation('triggers');
  const { isBusy, ask } = triggers;
  const [tried, setTried] = useState<ResponseTo<'trigger.try'> | null>(null);
  const attempt = () => {
    setTried(null);
    const params = { id: triggers.projectId, triggerId: trigger.id };
    void ask('trigger.try', { params, body: { body, ...(event !== null && { event }) } }, setTried);
  };
  return (
    <section className={styles.section} aria-label={t('try.title')}>
      <TextArea
        label={t('try.title')}
        hint={t('try.hint')}
        value={body}
        rows={6}
        grows
        spellCheck={false}
        className={styles.mono}
        onChange={({ target }) => onType(target.value)}
      />
      <div className={styles.act}>
        <Button size="s" busy={isBusy} onClick={attempt}>
          {t('try.title')}
        </Button>
      </div>
      <div role="status" data-testid="tried">
        {tried && (
          <div className={styles.tried} data-passes={tried.passes}>
            <strong>{t(tried.passes ? 'try.passes' : 'try.stays')}</strong>
            <p>{tried.passes ? tried.task : tried.reason && t(`reason.${tried.reason}`, { detail: tried.detail ?? '' })}</p>
          </div>
        )}
      </div>
    </section>
  );
}

/** What is no JSON is sent as it is typed. */
function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}
