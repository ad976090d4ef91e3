import { useEffect, useRef } from 'react';
import { type ChangedField, changedFields } from '../../../model/versions/changed-fields.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import type { DifferenceItem } from './difference-items.ts';
import styles from './versions.module.css';
import { Words } from './words.tsx';

const namedFields = [
  ...[
    'place',
    'size',
    'title',
    'description',
    'goal',
    'role',
    'name',
    'color',
    'serverAgentId',
    'step',
    'forEach',
    'disabled',
    'run',
    'from',
    'to',
    'type',
  ],
  ...['isUser', 'targetAgentId', 'targetAgentTitle', 'triggerCommand', 'autoStartSimulation', 'titleKey', 'descriptionKey'],
] as const;
type NamedField = 'title' | 'description' | 'goal' | 'role';
/** Texts at least so long are compared word by word. */
const longText = 24;

/** The fields of a card or link as they were and as they are. Of an added or removed one: what it says. */
export function FieldDifferences({ item }: { item: DifferenceItem }) {
  const { t } = useTranslation('versions');
  const list = useRef<HTMLDListElement>(null);
  // On a phone the sheet is low: the fields of the last row would lie below its edge.
  useEffect(() => {
    // In newer browsers this returns a promise, which React would call as the effect's cleanup.
    list.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const fields = changedFields(item.before ?? {}, item.now ?? {}).filter(
    ({ path }) => item.kind === 'changed' || item.kind === 'moved' || isTold(path),
  );
  return (
    <dl ref={list} className={styles.fields} data-testid="fields">
      {fields.map((field) => (
        <div key={field.path}>
          <dt>
            <FieldName path={field.path} />
          </dt>
          <dd>
            <FieldValue field={field} />
          </dd>
        </div>
      ))}
      {fields.length === 0 && <p className={styles.text}>{t('noFields')}</p>}
    </dl>
  );
}

/** The fields that describe an added or removed card. */
function isTold(path: string): boolean {
  return ['title', 'description', 'goal', 'role'].includes(path) || path.startsWith('step') || path.startsWith('run');
}

function FieldName({ path }: { path: string }) {
  const { t } = useTranslation('versions');
  const [top = '', ...nested] = path.split('.');
  const isNamed = (namedFields as readonly string[]).includes(top);
  const name = isNamed ? t(`field.${top as NamedField}`) : top;
  return nested.length === 0 ? name : `${name}: ${nested.join('.')}`;
}

function FieldValue({ field: { path, before, after } }: { field: ChangedField }) {
  const { t } = useTranslation('versions');
  const agents = useWorkspace((state) => state.agents.byId);
  const text = (value: unknown): string => {
    if (value === undefined || value === '') return t('empty');
    if (path === 'serverAgentId' && typeof value === 'string') return agents[value]?.title ?? t('agentGone');
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  if (
    typeof before === 'string' &&
    typeof after === 'string' &&
    path !== 'serverAgentId' &&
    Math.max(before.length, after.length) >= longText
  ) {
    return <Words before={before} after={after} />;
  }
  return (
    <>
      <del className={styles.removed}>
        <span className="visually-hidden">{t('was')} </span>
        {text(before)}
      </del>{' '}
      <span aria-hidden>→</span>{' '}
      <ins className={styles.added}>
        <span className="visually-hidden">{t('is')} </span>
        {text(after)}
      </ins>
    </>
  );
}
