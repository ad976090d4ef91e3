import type { ReactNode } from 'react';
import type { ApiConfiguration } from '../../../../contract/agent.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { FormText } from '../../../ui/form/form-fields.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2, Undo2 } from '../../../ui/icons/icons.ts';
import type { AgentFields } from './agent-draft.ts';
import styles from './agent-settings.module.css';

type ApiKeyFieldProps = {
  saved: Pick<ApiConfiguration, 'hasKey' | 'keyLast4'>;
  form: AgentFields;
  changed: ReactNode;
};

/** Accepts a new key, never shows the saved one, and can remove it. */
export function ApiKeyField({ saved, form, changed }: ApiKeyFieldProps) {
  const { t } = useTranslation('connections');
  const removes = form.watch('removeKey');
  const state = removes ? t('agent.keyWillGo') : saved.hasKey ? t('agent.keySaved', { last4: saved.keyLast4 ?? '' }) : t('agent.keyNone');
  return (
    <div className={styles.key}>
      <FormText
        {...{ form, name: 'apiKey', type: 'password', autoComplete: 'new-password', spellCheck: false }}
        label={t('agent.key')}
        aside={changed}
        placeholder={saved.hasKey ? t('agent.keyReplace') : t('agent.keyPlaceholder')}
        hint={t('agent.keyHint')}
        onEdit={() => form.setValue('removeKey', false)}
      />
      <p className={styles.keyState} data-testid="key-state">
        <span>{state}</span>
        {saved.hasKey && (
          <Button
            size="xs"
            variant="ghost"
            icon={removes ? <Undo2 size={14} aria-hidden /> : <Trash2 size={14} aria-hidden />}
            onClick={() => {
              form.setValue('removeKey', !removes);
              form.setValue('apiKey', '');
            }}
          >
            {removes ? t('agent.keyKeep') : t('agent.keyRemove')}
          </Button>
        )}
      </p>
    </div>
  );
}
