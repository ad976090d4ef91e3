import { followDemoStart, readDemoStart, setDemoStart } from '../../app/demo-start.ts';
import { mobileQuery } from '../../app/workspace/mobile-query.ts';
import { isOtherVersion } from '../../ui/is-other-version.ts';
import { importPart } from '../../ui/loading/import-part.ts';
import { servedVersion } from '../../ui/served-version.ts';
import { afterPaint, laterParts } from './after-paint.ts';
import { isStartGesture } from './is-start-gesture.ts';

// Stands in the head of the demonstration's page: on a phone, and where data are to be saved, nothing is loaded before the visitor asks.
if (isOwnLanguage() && savesData() && !isFollowedLink()) waitForVisitor();
else afterPaint(() => document.head.append(laterParts()));

/** A picture in another language than the visitor's is drawn anew, and has nothing to wait for. */
function isOwnLanguage(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[property="og:locale"]')?.content.startsWith(document.documentElement.lang) === true;
}

/** Who came by a link of another page of the product has pressed for the demonstration already. */
function isFollowedLink(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'navigate' && document.referrer.startsWith(`${location.origin}/`);
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return matchMedia(mobileQuery).matches || matchMedia('(prefers-reduced-data: reduce)').matches || connection?.saveData === true;
}

function waitForVisitor(): void {
  let scriptUrl: string | null = null;
  let hasScript = false;

  setDemoStart('waiting');
  followDemoStart(showStart);
  for (const type of ['pointerdown', 'wheel', 'keydown'] as const) {
    addEventListener(type, (event) => readDemoStart() === 'waiting' && isStartGesture(event) && start(), { passive: true });
  }
  addEventListener('click', ({ target }) => target instanceof Element && target.closest('.still-start-button') && start());
  addEventListener('online', () => readDemoStart() === 'failed' && start());

  function start(): void {
    const before = readDemoStart();
    if (before !== 'waiting' && before !== 'failed') return;
    setDemoStart('loading');
    if (before === 'failed') void reloadWhereOld();
    if (!hasScript) void load();
  }

  /** Brings the page's script, which brings the rest and says itself what did not arrive. */
  async function load(): Promise<void> {
    const script = laterParts().querySelector('script');
    script?.remove();
    scriptUrl ??= script?.src ?? '';
    document.head.append(laterParts());
    const url = scriptUrl;
    try {
      await importPart(() => import(/* @vite-ignore */ url));
      hasScript = true;
    } catch {
      setDemoStart('failed');
    }
  }
}

/** A server that was updated while the page waited has its scripts no longer. */
async function reloadWhereOld(): Promise<void> {
  const own = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  if (isOtherVersion(own, await servedVersion())) location.reload();
}

/** Shows on the picture's button how far it is. */
function showStart(): void {
  const start = readDemoStart();
  const sheet = document.querySelector<HTMLElement>('.still-start');
  const button = sheet?.querySelector('button');
  const problem = sheet?.querySelector<HTMLElement>('[role="alert"]');
  if (!start || !button || !problem) return;
  const label = button.dataset[start] ?? '';
  button.lastElementChild?.replaceChildren(label);
  sheet?.querySelector('[role="status"]')?.replaceChildren(start === 'loading' ? label : '');
  button.setAttribute('aria-busy', String(start === 'loading'));
  problem.hidden = start !== 'failed';
}
