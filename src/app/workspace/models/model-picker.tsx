import { Autocomplete } from '@base-ui/react/autocomplete';
import { useMemo, useState } from 'react';
import type { ConnectionModel } from '../../../../contract/model-connection.ts';
import fieldStyles from '../../../ui/controls/fields/field.module.css';
import { Field, type FieldFrame } from '../../../ui/controls/fields/field.tsx';
import selectStyles from '../../../ui/controls/fields/select.module.css';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ChevronsUpDown } from '../../../ui/icons/icons.ts';
import { EndedNote } from './ended-note.tsx';
import { ModelFigures } from './model-figures.tsx';
import { type ModelGroup, modelGroups } from './model-groups.ts';
import styles from './models.module.css';
import type { ModelList } from './use-models.ts';

type ModelPickerProps = FieldFrame & {
  value: string;
  list: ModelList;
  /** The label of the button that opens the list. */
  openLabel?: string;
  disabled?: boolean;
  /** The end of the chosen model, which a server's list does not have any more. */
  ended?: ConnectionModel['ended'];
  /** No model is asked, so the end of the chosen one stops nothing. */
  isSimulated?: boolean;
  onChange: (model: string) => void;
};

/**
 * A name of a model, typed or chosen from a list with windows, prices and tool signs. The whole list opens with the field; what is typed
 * narrows it. M3.21
 */
export function ModelPicker(props: ModelPickerProps) {
  const { value, list, openLabel, disabled = false, ended, isSimulated = false, onChange, ...frame } = props;
  const { models, total, leftOut, isLoading, isListed, search } = list;
  const { t } = useTranslation('connections');
  /** What was typed since the list has opened. */
  const [query, setQuery] = useState('');
  const { groups, shown, found: known } = useMemo(() => modelGroups(models, query), [models, query]);
  const found = Math.max(known, total > models.length ? total : 0);
  const type = (text: string) => {
    setQuery(text);
    search(text);
  };
  const chosen = models.find(({ id }) => id === value.trim());
  const end = chosen ? chosen.ended : ended;
  return (
    <div className={styles.picker}>
      <Field {...frame}>
        {(wiring) => (
          <Autocomplete.Root
            items={groups}
            itemToStringValue={(model: ConnectionModel) => model.id}
            mode="none"
            value={value}
            onValueChange={(next, { reason }) => {
              type(reason === 'input-change' ? next : '');
              onChange(next);
            }}
            onOpenChange={(isOpen) => !isOpen && type('')}
            openOnInputClick
            disabled={disabled}
          >
            <div className={fieldStyles.holder}>
              <Autocomplete.Input
                {...wiring}
                // The open list hides all other elements from screen readers, also the label of this field.
                aria-label={frame.label}
                className={fieldStyles.input}
                data-trail=""
                spellCheck={false}
                autoComplete="off"
              />
              <span className={fieldStyles.trail}>
                <Autocomplete.Trigger className={selectStyles.opener} aria-label={openLabel ?? t('models.open')}>
                  <ChevronsUpDown size={14} aria-hidden />
                </Autocomplete.Trigger>
              </span>
            </div>
            <Autocomplete.Portal>
              <Autocomplete.Positioner className={selectStyles.positioner} sideOffset={4} collisionPadding={8}>
                <Autocomplete.Popup className={`${selectStyles.popup} ${styles.popup}`} data-testid="model-list">
                  <Autocomplete.List>
                    {(group: ModelGroup) => <Group key={group.key} group={group} hasFigures={isListed} />}
                  </Autocomplete.List>
                  <Autocomplete.Status className={styles.status}>
                    {isLoading && t('models.loading')}
                    {!isLoading && found === 0 && t('models.empty')}
                    {shown < found && t('models.limited', { shown, found })} {leftOut > 0 && t('models.leftOut', { count: leftOut })}
                  </Autocomplete.Status>
                </Autocomplete.Popup>
              </Autocomplete.Positioner>
            </Autocomplete.Portal>
          </Autocomplete.Root>
        )}
      </Field>
      {chosen && isListed && <ModelFigures model={chosen} />}
      {end && !isSimulated && <EndedNote ended={end} disabled={disabled} onInstead={onChange} />}
    </div>
  );
}

function Group({ group: { maker, isEnded, items }, hasFigures }: { group: ModelGroup; hasFigures: boolean }) {
  const { t } = useTranslation('connections');
  const name = isEnded ? t('models.ended') : maker;
  return (
    <Autocomplete.Group items={items}>
      {name !== null && <Autocomplete.GroupLabel className={styles.groupName}>{name}</Autocomplete.GroupLabel>}
      <Autocomplete.Collection>
        {(model: ConnectionModel) => (
          <Autocomplete.Item
            key={model.id}
            value={model}
            className={`${selectStyles.item} ${styles.item}`}
            data-ended={isEnded || undefined}
          >
            <span className={styles.name} data-testid="model-name">
              {model.id}
            </span>
            {hasFigures && <ModelFigures model={model} />}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}
