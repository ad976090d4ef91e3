import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { createCodeView } from './create-code-view.ts';
import styles from './files.module.css';

/** A text with numbered lines. */
export function CodeView({ path, text }: { path: string; text: string }) {
  const { t } = useTranslation('console');
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current && text !== '') return createCodeView(host.current, path, text);
  }, [path, text]);
  return text === '' ? <p className={styles.nothing}>{t('files.emptyFile')}</p> : <div ref={host} className={styles.code} />;
}
