import { followDemoStart, readDemoStart, setDemoStart } from '../../app/routes/demo-start.ts';
import { mobileQuery } from '../../app/workspace/frame/mobile-query.ts';
import { isOtherVersion } from '../../ui/is-other-version.ts';
import { importPart } from '../../ui/loading/import-part.ts';
import { servedVersion } from '../../ui/served-version.ts';
import { afterPaint, deferredParts } from './after-paint.ts';
import { isStartGesture } from './is-start-gesture.ts';

// Inlined in the head of the demonstration's page. On phones and with reduced data, nothing is loaded before the visitor starts it.
if (isOwnPicture() && savesData() && !isFollowedLink()) waitForVisitor();
else afterPaint(() => document.head.append(deferredParts()));

/** A picture in another language than the visitor's, or of another canvas, is replaced, so it does not wait. */
function isOwnPicture(): boolean {
  if (new URLSearchParams(location.search).get('projectId') === 'public-review') return false;
  return document.querySelector<HTMLMetaElement>('meta[property="og:locale"]')?.content.startsWith(document.documentElement.lang) === true;
}

/** Returns whether the visitor came by a link from another page of the product, and so has already asked for the demonstration. */
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

  /** Loads the page's script. That script loads the rest and reports what did not load. */
  async function load(): Promise<void> {
    const script = deferredParts().querySelector('script');
    script?.remove();
    scriptUrl ??= script?.src ?? '';
    document.head.append(deferredParts());
    const url = scriptUrl;
    try {
      await importPart(() => import(/* @vite-ignore */ url));
      hasScript = true;
    } catch {
      setDemoStart('failed');
    }
  }
}

/** Reloads the page if the server was updated meanwhile: it no longer has the old scripts. */
async function reloadWhereOld(): Promise<void> {
  const own = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  if (isOtherVersion(own, await servedVersion())) location.reload();
}

/** Shows the progress on the picture's button. */
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
