import { useId } from 'react';
import { eventPath, webhookSchemes } from '../../../contract/trigger.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../ui/controls/buttons/icon-button.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Plus, Trash2 } from '../../ui/icons/icons.ts';
import type { Draft } from './draft-kinds.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import styles from './triggers.module.css';
import { pathsOf } from './webhook-example.ts';

/** The server takes as many. */
const maxRules = 8;

/** Who sends, and which bodies start a run. L4.06 */
export function WebhookFields({ draft, wrong, set, isNew }: DraftPartProps & { isNew: boolean }) {
  const { t } = useTranslation('triggers');
  const { scheme, filter } = draft;
  const list = useId();
  const change = (at: number, next: Partial<Draft['filter'][number]>) =>
    set({ filter: filter.map((rule, place) => (place === at ? { ...rule, ...next } : rule)) });
  const add = () =>
    set({ filter: [...filter, { key: Math.max(0, ...filter.map(({ key }) => key)) + 1, path: '', is: 'equal', value: '' }] });
  return (
    <>
      <Select
        label={t('webhook.scheme')}
        hint={t(isNew ? `webhook.schemeHint.${scheme}` : 'webhook.schemeFixed')}
        value={scheme}
        disabled={!isNew}
        options={webhookSchemes.map((value) => ({ value, label: t(`webhook.schemes.${value}`) }))}
        onChange={(next) => set({ scheme: next })}
      />
      <fieldset className={styles.table}>
        <legend>{t('filter.title')}</legend>
        <p className={styles.note}>{t('filter.hint')}</p>
        {filter.map(({ key, path, is, value }, at) => (
          <fieldset key={key} className={styles.rule} aria-label={t('filter.rule', { number: at + 1 })}>
            <TextField
              label={t('filter.path')}
              value={path}
              placeholder={t('filter.example')}
              list={list}
              maxLength={200}
              spellCheck={false}
              autoCapitalize="none"
              className={styles.mono}
              error={wrong.has(`filter.${at}.path`) ? t('filter.pathWrong') : undefined}
              onChange={({ target }) => change(at, { path: target.value })}
            />
            <Select
              label={t('filter.is')}
              value={is}
              options={(['equal', 'different', 'containing'] as const).map((one) => ({ value: one, label: t(`filter.kinds.${one}`) }))}
              onChange={(one) => change(at, { is: one })}
            />
            <TextField
              label={t('words:value')}
              value={value}
              maxLength={500}
              onChange={({ target }) => change(at, { value: target.value })}
            />
            <IconButton
              label={t('filter.remove', { number: at + 1 })}
              icon={<Trash2 size={16} />}
              onClick={() => set({ filter: filter.filter((_, place) => place !== at) })}
            />
          </fieldset>
        ))}
        <datalist id={list}>
          {[eventPath, ...pathsOf(scheme)].map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        {filter.length < maxRules && (
          <div>
            <Button size="s" icon={<Plus size={15} aria-hidden />} onClick={add}>
              {t('filter.add')}
            </Button>
          </div>
        )}
      </fieldset>
    </>
  );
}
