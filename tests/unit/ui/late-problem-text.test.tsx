import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadProblemTexts, useLateProblemText } from '../../../src/ui/i18n/use-late-problem-text.ts';

/** A language without texts: each load of it fails, until its texts count as there. */
const language = 'xx';
const retryMs = 10_000;
let areThere: boolean;
let page: EventTarget;
/** How many functions wait for the event `online`. */
let waiting: Set<unknown>;

beforeAll(() => i18next.init({ lng: language, resources: { [language]: { common: { part: { notLoaded: 'Not loaded.' } } } } }));
beforeEach(() => {
  vi.useFakeTimers();
  areThere = false;
  page = new EventTarget();
  waiting = new Set();
  vi.stubGlobal('addEventListener', (name: string, listener: EventListener, options?: AddEventListenerOptions) => {
    waiting.add(listener);
    page.addEventListener(name, listener, options);
  });
  vi.stubGlobal('removeEventListener', (name: string, listener: EventListener) => {
    waiting.delete(listener);
    page.removeEventListener(name, listener);
  });
});
afterEach(async () => {
  areThere = true;
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Each load looks whether the texts are there. */
function spyOnLoads() {
  const loads = vi.fn(() => areThere);
  const read = i18next.hasResourceBundle;
  vi.spyOn(i18next, 'hasResourceBundle').mockImplementation((...args) => (args[1] === 'errors' ? loads() : read(...args)));
  return loads;
}

function Sentence() {
  return useLateProblemText()({ code: 'http.notFound', params: {} } as never);
}

/** What the page says of a problem. */
function readSentence(): string {
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18next}>
      <Sentence />
    </I18nextProvider>,
  );
}

test('the sentences of problems load while the browser counts as online, once the server is there again', async () => {
  const loads = spyOnLoads();
  for (let count = 0; count < 3; count += 1) await loadProblemTexts(language);
  expect(loads).toHaveBeenCalledTimes(3);
  expect([vi.getTimerCount(), waiting.size]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(retryMs);
  expect(loads).toHaveBeenCalledTimes(4);
  expect([vi.getTimerCount(), waiting.size]).toEqual([1, 1]);
  expect(readSentence()).toBe('Not loaded.');
  loads.mockClear();
  areThere = true;
  await vi.advanceTimersByTimeAsync(retryMs);
  expect(loads).toHaveBeenCalledTimes(1);
  expect([vi.getTimerCount(), waiting.size]).toEqual([0, 0]);
});

test('the event `online` loads the sentences at once, in place of the wait', async () => {
  const loads = spyOnLoads();
  await loadProblemTexts(language);
  areThere = true;
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(loads).toHaveBeenCalledTimes(2);
  expect([vi.getTimerCount(), waiting.size]).toEqual([0, 0]);
});

test('the page says during a retry too that the sentences are not there', async () => {
  spyOnLoads();
  await loadProblemTexts(language);
  const retry = loadProblemTexts(language);
  expect(readSentence()).toBe('Not loaded.');
  await retry;
  expect(readSentence()).toBe('Not loaded.');
});
