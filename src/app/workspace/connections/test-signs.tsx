import type { ReactNode } from 'react';
import type { ConnectionTest } from '../../../../contract/model-connection.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Check, Minus, X } from '../../../ui/icons/icons.ts';
import styles from './connections.module.css';

const seen = ['text', 'streaming', 'tools', 'thinking', 'cached'] as const;

type Sign = 'yes' | 'no' | 'unseen';

const sentences = {
  text: { yes: 'signs.textYes', no: 'signs.textNo', unseen: 'signs.textUnseen' },
  streaming: { yes: 'signs.streamingYes', no: 'signs.streamingNo', unseen: 'signs.streamingUnseen' },
  tools: { yes: 'signs.toolsYes', no: 'signs.toolsNo', unseen: 'signs.toolsUnseen' },
  thinking: { yes: 'signs.thinkingYes', no: 'signs.thinkingNo', unseen: 'signs.thinkingUnseen' },
  cached: { yes: 'signs.cachedYes', no: 'signs.cachedNo', unseen: 'signs.cachedUnseen' },
} as const satisfies Record<(typeof seen)[number], Record<Sign, string>>;

const glyphs: Record<Sign, ReactNode> = {
  yes: <Check size={15} aria-hidden />,
  no: <X size={15} aria-hidden />,
  unseen: <Minus size={15} aria-hidden />,
};

/** What one call with a tool has shown: a sign, a word and a sentence each. M3.27 */
export function TestSigns({ tested }: { tested: ConnectionTest }) {
  const { t } = useTranslation('connections');
  const signs = seen.map((name) => ({ name, sign: signOf(tested[name]) }));
  return (
    <ul className={styles.signs} aria-label={t('signs.title')} data-testid="test-signs">
      {signs.map(({ name, sign }) => (
        <SignLine key={name} sign={sign} name={t(`signs.${name}`)} text={t(sentences[name][sign])} />
      ))}
      <SignLine sign={signOf(tested.hasPrice)} name={t('signs.price')} text={t(tested.hasPrice ? 'signs.priceYes' : 'signs.priceNo')} />
    </ul>
  );
}

function SignLine({ sign, name, text }: { sign: Sign; name: string; text: string }) {
  const { t } = useTranslation('connections');
  return (
    <li data-sign={sign}>
      {glyphs[sign]}
      <strong>{name}</strong>
      <span className="visually-hidden">{t(`signs.${sign}`)}</span>
      <span>{text}</span>
    </li>
  );
}

function signOf(value: boolean | null): Sign {
  return value === null ? 'unseen' : value ? 'yes' : 'no';
}
