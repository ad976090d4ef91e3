import { AnimatePresence } from 'framer-motion';
import { type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react';
import type { Notice } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useLateProblemText } from '../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleAlert, GitCompareArrows, Info, TriangleAlert, X } from '../../../ui/icons/icons.ts';
import { AbsentUntilOnline } from '../../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useActions } from '../actions/use-actions.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './banner.module.css';
import { Banner } from './banner.tsx';
import { inOrder } from './notice-order.ts';
import { SignedOutBanner } from './signed-out-banner.tsx';

const LoopInstead = lazyPart(() => import('./loop-instead.tsx').then((file) => file.LoopInstead), AbsentUntilOnline);

/** Where other parts put banners of their own. */
export const bannersId = 'banners';

/** Urgent messages: an ended session, a save conflict, and notices. One is shown at a time. W2.02 */
export function Banners() {
  const { t } = useTranslation('workspace');
  const notices = useWorkspace((state) => state.notices);
  const signedOut = useWorkspace((state) => !state.connection.authenticated);
  const opening = useWorkspace((state) => state.status === 'opening' || state.status === 'reloading');
  const conflict = useWorkspace((state) => (state.save.status === 'conflict' ? state.save : null));
  const { account } = useWorkspaceContext();
  const dispatch = useDispatch();
  const section = useRef<HTMLElement>(null);
  useBannerHeight(section);
  return (
    <section ref={section} className={styles.banners} aria-label={t('words:messages')} data-panel>
      <AnimatePresence initial={false}>
        {signedOut && account && <SignedOutBanner key="signedOut" account={account} />}
        {conflict && (
          <Banner key="conflict" tone="warning" icon={<GitCompareArrows size={17} aria-hidden />} role="alert">
            <p>
              <strong>{t('conflict.title')}</strong> {t('conflict.text', { mine: conflict.version, theirs: conflict.theirVersion })}
            </p>
            <Button size="xs" onClick={() => void dispatch({ type: 'conflict.resolve', keep: 'theirs' })}>
              {t('conflict.theirs')}
            </Button>
            <Button size="xs" variant="primary" onClick={() => void dispatch({ type: 'conflict.resolve', keep: 'mine' })}>
              {t('conflict.mine')}
            </Button>
          </Banner>
        )}
        {inOrder(notices).map((notice) => (
          <NoticeBanner key={notice.id} notice={notice} />
        ))}
        {opening && (
          <Banner key="loading" icon={<Spinner size={16} />} role="status" late>
            {t('banner.loading')}
          </Banner>
        )}
      </AnimatePresence>
      {/* Last: a banner of this part that comes later is put before it. */}
      <div id={bannersId} className={styles.others} />
    </section>
  );
}

/** Has the console and the bar below the canvas make room for the banner that is shown. */
function useBannerHeight(section: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = section;
    const workspace = current?.closest<HTMLElement>('[data-workspace]');
    if (!current || !workspace) return;
    const observer = new ResizeObserver(() => {
      const { offsetHeight } = current;
      if (offsetHeight > 0) workspace.style.setProperty('--banner-height', `${offsetHeight}px`);
      else workspace.style.removeProperty('--banner-height');
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [section]);
}

const noticeIcons: Record<Notice['level'], ReactNode> = {
  info: <Info size={17} aria-hidden />,
  warning: <TriangleAlert size={17} aria-hidden />,
  error: <CircleAlert size={17} aria-hidden />,
};

function NoticeBanner({ notice }: { notice: Notice }) {
  const { t } = useTranslation('workspace');
  const problemText = useLateProblemText();
  const dispatch = useDispatch();
  const sentence = problemText(notice);
  if (sentence === null) return null;
  return (
    <Banner tone={notice.level} icon={noticeIcons[notice.level]} role={notice.level === 'error' ? 'alert' : 'status'}>
      <div className={styles.words}>
        <p>{sentence}</p>
        {notice.details && (
          <ul>
            {notice.details.map((detail) => (
              <li key={`${detail.code} ${detail.params?.number}`}>{problemText(detail)}</li>
            ))}
          </ul>
        )}
      </div>
      {notice.code === 'workspace.reloadFailed' && (
        <Button size="xs" onClick={() => void dispatch({ type: 'workspace.reload' })}>
          {t('common:tryAgain')}
        </Button>
      )}
      {notice.params?.loopId !== undefined && <NameWays loopId={String(notice.params.loopId)} noticeId={notice.id} />}
      {notice.code === 'link.self' && (
        <Suspense fallback={null}>
          <LoopInstead notice={notice} />
        </Suspense>
      )}
      <IconButton
        label={t('words:closeMessage')}
        size={28}
        icon={<X size={15} />}
        onClick={() => void dispatch({ type: 'notice.dismiss', id: notice.id })}
      />
    </Banner>
  );
}

/** Names the ways out of a new loop's start, and opens the names: without them the loop runs all its rounds. */
function NameWays({ loopId, noticeId }: { loopId: string; noticeId: string }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const { view } = useWorkspaceContext();
  const { linkSettings } = useActions();
  const isNamed = useWorkspace((state) => state.document.connections[loopId]?.run?.label !== undefined);
  if (isNamed) return null;
  const name = async () => {
    void dispatch({ type: 'notice.dismiss', id: noticeId });
    const named = await dispatch({ type: 'link.loop', id: loopId });
    if (!named.ok) return;
    view.update({ selectedNodes: new Set(), selectedLinks: new Set([loopId]) });
    linkSettings.run();
  };
  return (
    <Button size="xs" onClick={() => void name()}>
      {t('banner.nameWays')}
    </Button>
  );
}
