import { type FormEvent, useState } from 'react';
import { useImmer } from 'use-immer';
import { type HookCreation, type HookEvent, hookEvents } from '../../../contract/hook.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../ui/controls/fields/checkbox.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { NewItem } from '../api-list/new-item.tsx';
import styles from './connect.module.css';

type NewHookProps = { isBusy: boolean; onCreate: (creation: HookCreation) => Promise<boolean> };

/** The button and the form of a new hook. Resolves `onCreate` with whether the hook was created: the form stays if not. */
export function NewHook({ isBusy, onCreate }: NewHookProps) {
  const { t } = useTranslation('connect');
  return (
    <NewItem label={t('new.open')}>
      {(close) => <HookForm isBusy={isBusy} onCancel={close} onCreate={async (creation) => void ((await onCreate(creation)) && close())} />}
    </NewItem>
  );
}

type HookFormProps = { isBusy: boolean; onCancel: () => void; onCreate: (creation: HookCreation) => Promise<void> };
type Draft = { url: string; events: HookEvent[]; withTexts: boolean };

function HookForm({ isBusy, onCancel, onCreate }: HookFormProps) {
  const { t } = useTranslation('connect');
  const [draft, update] = useImmer<Draft>({ url: '', events: ['run.ended', 'question.opened'], withTexts: false });
  const [isTried, setIsTried] = useState(false);
  const { url, events, withTexts } = draft;
  const isAddress = /^https?:$/.test(URL.parse(url.trim())?.protocol ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isAddress && events.length > 0) void onCreate(draft);
  };
  const toggle = (event: HookEvent, isOn: boolean) =>
    update((next) => {
      next.events = hookEvents.filter((one) => (one === event ? isOn : next.events.includes(one)));
    });
  return (
    <form className={styles.parts} onSubmit={submit} noValidate>
      <TextField
        label={t('new.url')}
        hint={t('new.urlHint')}
        type="url"
        value={url}
        maxLength={2_000}
        autoFocus
        error={isTried && !isAddress ? t('new.urlWrong') : undefined}
        onChange={({ target }) =>
          update((next) => {
            next.url = target.value;
          })
        }
      />
      <fieldset className={styles.choices}>
        <legend>{t('new.events')}</legend>
        {hookEvents.map((event) => (
          <label key={event} htmlFor={`event-${event}`}>
            <Checkbox id={`event-${event}`} checked={events.includes(event)} onChange={({ target }) => toggle(event, target.checked)} />
            <span>{t(`event.${event}`)}</span>
          </label>
        ))}
        {isTried && events.length === 0 && (
          <p role="alert" className={styles.problem}>
            {t('new.eventMissing')}
          </p>
        )}
      </fieldset>
      <label className={styles.choice} htmlFor="hook-texts">
        <Checkbox
          id="hook-texts"
          checked={withTexts}
          onChange={({ target }) =>
            update((next) => {
              next.withTexts = target.checked;
            })
          }
        />
        <span>
          {t('new.texts')}
          <small>{t('new.textsHint')}</small>
        </span>
      </label>
      <div className={styles.act}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t('new.create')}
        </Button>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
      </div>
    </form>
  );
}
