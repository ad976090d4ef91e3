import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../ui/controls/fields/checkbox.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CircleAlert, CircleCheck } from '../../ui/icons/icons.ts';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { privacyPath } from '../landing-links.ts';
import { isEmail, leadLimits } from './lead-draft.ts';
import styles from './lead-form.module.css';
import { useLeadForm } from './use-lead-form.ts';

const optionalFields = [
  { name: 'company', autoComplete: 'organization', changed: (company: string) => ({ company }) },
  { name: 'role', autoComplete: 'organization-title', changed: (role: string) => ({ role }) },
] as const;

/** The form that requests a demo. It can be sent only when it is complete. */
export function LeadForm() {
  const { t } = useTranslation('landing');
  const form = useRef<HTMLFormElement>(null);
  // Text that is typed before hydration would be lost.
  const waits = !useIsHydrated();
  const { draft, change, canSend, sending, outcome, wait, send } = useLeadForm(form);
  const emailWrong = draft.email.trim() !== '' && !isEmail(draft.email.trim());
  // No error is shown while the visitor is typing.
  const [emailLeft, setEmailLeft] = useState(false);
  const emailTold = emailWrong && emailLeft;
  const told = emailTold ? 'error' : outcome;
  const outcomeBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome) outcomeBox.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);
  return (
    <form
      ref={form}
      className={styles.form}
      aria-label={t('finalCTA.form.title')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        name="name"
        readOnly={waits}
        label={t('finalCTA.form.name')}
        size="xl"
        required
        autoComplete="name"
        maxLength={leadLimits.name}
        placeholder={t('finalCTA.form.namePlaceholder')}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        name="email"
        readOnly={waits}
        label={t('finalCTA.form.email')}
        type="email"
        size="xl"
        required
        autoComplete="email"
        maxLength={leadLimits.email}
        placeholder={t('common:emailExample')}
        invalid={emailTold}
        onBlur={() => setEmailLeft(true)}
        value={draft.email}
        onChange={(event) => {
          if (!emailWrong) setEmailLeft(false);
          change({ email: event.target.value });
        }}
      />
      {optionalFields.map(({ name, autoComplete, changed }) => (
        <TextField
          key={name}
          name={name}
          readOnly={waits}
          label={t(`finalCTA.form.${name}`)}
          size="xl"
          autoComplete={autoComplete}
          maxLength={leadLimits[name]}
          placeholder={t('finalCTA.form.optional')}
          value={draft[name]}
          onChange={(event) => change(changed(event.target.value))}
        />
      ))}
      <div className={styles.wide}>
        <TextArea
          name="comment"
          readOnly={waits}
          label={t('finalCTA.form.comment')}
          rows={3}
          maxLength={leadLimits.comment}
          placeholder={t('finalCTA.form.commentPlaceholder')}
          aside={<CommentLength length={draft.comment.length} />}
          value={draft.comment}
          onChange={(event) => change({ comment: event.target.value })}
        />
      </div>
      <Consent isGiven={draft.consent} onChange={(consent) => change({ consent })} />
      <Button className={styles.wide} type="submit" variant="primary" size="xxl" wide busy={sending} disabled={!canSend}>
        {sending ? t('finalCTA.form.sending') : t('requestDemo')}
      </Button>
      {/* Below all else: a wrong address is told as its field is left by a press, from under which nothing may move. */}
      <div ref={outcomeBox} className={styles.outcome} role="alert" data-outcome={told ?? undefined}>
        {told && (
          <>
            {told === 'success' ? <CircleCheck size={18} /> : <CircleAlert size={18} />}
            {emailTold
              ? t('finalCTA.form.emailInvalid')
              : told === 'error' && wait
                ? t(`finalCTA.alert.${wait.unit}`, { count: wait.count })
                : t(`finalCTA.alert.${told}`)}
          </>
        )}
      </div>
    </form>
  );
}

function CommentLength({ length }: { length: number }) {
  const { t } = useTranslation('landing');
  return (
    <span className={styles.count}>
      <span aria-hidden="true">
        {length}/{leadLimits.comment}
      </span>
      <span className="visually-hidden">{t('common:countOfLimit', { count: length, limit: leadLimits.comment })}</span>
    </span>
  );
}

function Consent({ isGiven, onChange }: { isGiven: boolean; onChange: (isGiven: boolean) => void }) {
  const { t } = useTranslation('landing');
  const id = useId();
  return (
    <label className={styles.consent} htmlFor={id}>
      <Checkbox id={id} name="consent" required checked={isGiven} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {t('finalCTA.form.consentBefore')}
        <a href={privacyPath} target="_blank" rel="noopener">
          {t('finalCTA.form.consentLink')}
          <span className="visually-hidden"> ({t('finalCTA.form.consentNewTab')})</span>
        </a>
      </span>
    </label>
  );
}
