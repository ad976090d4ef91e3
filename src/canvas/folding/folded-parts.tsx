import { useLayoutEffect } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from '../overlay/canvas-overlay.module.css';
import type { FoldedStore } from './folded-store.ts';
import { createFolder } from './folder.ts';
import { MergedBadges } from './merged-badges.tsx';

/** Loaded once a group is folded: what shows folded groups, and the numbers on lines that stand for several links. */
export function FoldedParts({ shownStore, isDrawn }: { shownStore: FoldedStore; isDrawn: boolean }) {
  const { t } = useTranslation('folding');
  const { t: canvas } = useTranslation('canvas');
  useLayoutEffect(() => {
    shownStore.install(
      createFolder(shownStore.source, shownStore.view, {
        folded: t('folded'),
        opened: t('opened'),
        cards: (count) => t('words:cardCount', { count }),
        links: (count) => t('words:linkCount', { count }),
        done: (done, total) => t('done', { done, total }),
        asked: (count) => canvas('question.badges', { count }),
        state: (state) => canvas(`outline.state.${state}`),
      }),
    );
  }, [shownStore, t, canvas]);
  return isDrawn ? (
    <div className={styles.overlay}>
      <MergedBadges store={shownStore} />
    </div>
  ) : null;
}
