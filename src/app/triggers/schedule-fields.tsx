import { useId, useState } from 'react';
import { Checkbox } from '../../ui/controls/fields/checkbox.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { FormText } from '../../ui/form/form-fields.tsx';
import { errorOf } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { type CronChoice, choiceOf, choiceWith, cronOf, everies, hourSteps, minuteSteps, weekDays } from './cron-choice.ts';
import { Forecast } from './forecast.tsx';
import { NextInstants } from './next-instants.tsx';
import { weekdayName } from './schedule-words.ts';
import type { TriggerFields } from './trigger-draft.ts';
import styles from './triggers.module.css';
import { usePreview } from './use-preview.ts';
import type { Triggers } from './use-triggers.ts';

export type DraftPartProps = { form: TriggerFields };

/** When a schedule fires: in plain words, and as five fields. Shows the next instants while it is typed. L4.03 */
export function ScheduleFields({ form, triggers }: DraftPartProps & { triggers: Triggers }) {
  const { t } = useTranslation('triggers');
  const { cron, zone, teamId } = form.watch();
  const preview = usePreview(cron, zone);
  // Fields that no choice writes, or that the user wants to type.
  const [isOwn, setIsOwn] = useState(() => choiceOf(cron) === null);
  const choice = isOwn ? null : choiceOf(cron);
  const write = (next: CronChoice) => form.setValue('cron', cronOf(next), { shouldValidate: true });
  const zones = useId();
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={t('schedule.every')}
          value={choice?.every ?? 'own'}
          options={[...everies, 'own' as const].map((value) => ({ value, label: t(`schedule.everies.${value}`) }))}
          onChange={(every) => {
            setIsOwn(every === 'own');
            if (every !== 'own') write(choiceWith(every, choiceOf(cron)));
          }}
        />
        {choice && <ChoiceFields choice={choice} set={write} />}
      </div>
      {choice?.every === 'week' && <WeekDays days={choice.days} onChange={(days) => write({ ...choice, days })} />}
      <div className={styles.pair}>
        <TextField
          {...form.register('cron', { onChange: ({ target }) => setIsOwn(choiceOf(target.value) === null) })}
          label={t('schedule.fields')}
          hint={t('schedule.fieldsHint')}
          maxLength={100}
          spellCheck={false}
          className={styles.mono}
          error={preview.state === 'wrong' ? t('schedule.wrong') : errorOf(form, 'cron', t('schedule.wrong'))}
        />
        <div>
          <FormText
            {...{ form, name: 'zone', list: zones, maxLength: 60, spellCheck: false }}
            label={t('schedule.zone')}
            error={t('schedule.zoneWrong')}
          />
          <datalist id={zones}>
            {['UTC', ...Intl.supportedValuesOf('timeZone')].map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
      </div>
      <div className={styles.preview}>
        <NextInstants preview={preview} />
        <Forecast projectId={triggers.projectId} teamId={teamId} firesADay={preview.state === 'ready' ? preview.firesADay : null} />
      </div>
    </>
  );
}

function ChoiceFields({ choice, set }: { choice: CronChoice; set: (next: CronChoice) => void }) {
  const { t } = useTranslation('triggers');
  const number = (label: string, value: number, most: number, change: (next: number) => void) => (
    <TextField
      label={label}
      type="number"
      value={String(value)}
      min={most === 31 ? 1 : 0}
      max={most}
      onChange={({ target }) => {
        const next = Number(target.value);
        if (Number.isInteger(next) && next <= most && next >= (most === 31 ? 1 : 0)) change(next);
      }}
    />
  );
  switch (choice.every) {
    case 'minutes':
      return (
        <Select
          label={t('schedule.step')}
          value={String(choice.step)}
          options={minuteSteps.map((step) => ({ value: String(step), label: t('schedule.minutes', { count: step }) }))}
          onChange={(step) => set({ ...choice, step: Number(step) })}
        />
      );
    case 'hours':
      return (
        <>
          <Select
            label={t('schedule.step')}
            value={String(choice.step)}
            options={hourSteps.map((step) => ({ value: String(step), label: t('schedule.hours', { count: step }) }))}
            onChange={(step) => set({ ...choice, step: Number(step) })}
          />
          {number(t('schedule.minute'), choice.minute, 59, (minute) => set({ ...choice, minute }))}
        </>
      );
    default:
      return (
        <>
          {choice.every === 'month' && number(t('schedule.day'), choice.day, 31, (day) => set({ ...choice, day }))}
          <TextField
            label={t('schedule.at')}
            type="time"
            value={choice.at}
            onChange={({ target }) => /^\d\d:\d\d$/.test(target.value) && set({ ...choice, at: target.value })}
          />
        </>
      );
  }
}

/** At least one day stays. */
function WeekDays({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  const { t, language } = useTranslation('triggers');
  const id = useId();
  const nameOf = (day: number, weekday: 'short' | 'long') => weekdayName(day, weekday, language);
  return (
    <fieldset className={styles.days}>
      <legend>{t('schedule.days')}</legend>
      {weekDays.map((day) => (
        <label key={day} htmlFor={`${id}-${day}`}>
          <Checkbox
            id={`${id}-${day}`}
            aria-label={nameOf(day, 'long')}
            checked={days.includes(day)}
            onChange={({ target }) => {
              const next = target.checked ? [...days, day] : days.filter((one) => one !== day);
              if (next.length > 0) onChange(next);
            }}
          />
          <span aria-hidden>{nameOf(day, 'short')}</span>
        </label>
      ))}
    </fieldset>
  );
}
