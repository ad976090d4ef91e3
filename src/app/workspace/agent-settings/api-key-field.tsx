import type { ReactNode } from 'react';
import type { ApiConfiguration } from '../../../../contract/agent.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2, Undo2 } from '../../../ui/icons/icons.ts';
import type { AgentDraft } from './agent-draft.ts';
import styles from './agent-settings.module.css';

type ApiKeyFieldProps = {
  saved: Pick<ApiConfiguration, 'hasKey' | 'keyLast4'>;
  draft: AgentDraft;
  changed: ReactNode;
  onChange: (changes: Partial<AgentDraft>) => void;
};

/** Accepts a new key, never shows the saved one, and can remove it. */
export function ApiKeyField({ saved, draft, changed, onChange }: ApiKeyFieldProps) {
  const { t } = useTranslation('connections');
  const state = draft.removeKey
    ? t('agent.keyWillGo')
    : saved.hasKey
      ? t('agent.keySaved', { last4: saved.keyLast4 ?? '' })
      : t('agent.keyNone');
  return (
    <div className={styles.key}>
      <TextField
        label={t('agent.key')}
        aside={changed}
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        placeholder={saved.hasKey ? t('agent.keyReplace') : t('agent.keyPlaceholder')}
        hint={t('agent.keyHint')}
        value={draft.apiKey}
        onChange={(event) => onChange({ apiKey: event.target.value, removeKey: false })}
      />
      <p className={styles.keyState} data-testid="key-state">
        <span>{state}</span>
        {saved.hasKey && (
          <Button
            size="xs"
            variant="ghost"
            icon={draft.removeKey ? <Undo2 size={14} aria-hidden /> : <Trash2 size={14} aria-hidden />}
            onClick={() => onChange({ removeKey: !draft.removeKey, apiKey: '' })}
          >
            {draft.removeKey ? t('agent.keyKeep') : t('agent.keyRemove')}
          </Button>
        )}
      </p>
    </div>
  );
}
