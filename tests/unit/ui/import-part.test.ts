import { describe, expect, test, vi } from 'vitest';
import { importPart, PartLoadError } from '../../../src/ui/loading/import-part.ts';

const noPause = async () => undefined;

/** A part that loads after this many failed attempts. */
function failing(times: number) {
  let left = times;
  return vi.fn(async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the part';
  });
}

describe('importPart', () => {
  test('importPart retries a part that does not arrive twice, with a pause before each retry', async () => {
    const load = failing(2);
    const pause = vi.fn(noPause);
    await expect(importPart(load, pause)).resolves.toBe('the part');
    expect(load).toHaveBeenCalledTimes(3);
    expect(pause.mock.calls).toEqual([[400], [1_600]]);
  });

  test('importPart asks once for a part that arrives', async () => {
    const load = failing(0);
    const pause = vi.fn(noPause);
    await importPart(load, pause);
    expect(load).toHaveBeenCalledTimes(1);
    expect(pause).not.toHaveBeenCalled();
  });

  test('importPart fails after the third try with an error that lets the caller ask for the same part again', async () => {
    const load = failing(4);
    const problem = await importPart(load, noPause).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(PartLoadError);
    expect(load).toHaveBeenCalledTimes(3);
    await expect((problem as PartLoadError).retry()).resolves.toBe('the part');
    expect(load).toHaveBeenCalledTimes(5);
  });

  test('importPart removes a failed stylesheet from the page, since Vite asks only once for a stylesheet that has a link', async () => {
    const links = ['http://a.test/assets/x.css', 'http://a.test/assets/y.css'].map((href) => ({ href, remove: vi.fn() }));
    vi.stubGlobal('location', { href: 'http://a.test/' });
    vi.stubGlobal('document', { querySelectorAll: () => links });
    try {
      const load = vi
        .fn()
        .mockRejectedValueOnce(new Error('Unable to preload CSS for http://a.test/assets/x.css'))
        .mockResolvedValue('there');
      await expect(importPart(load, noPause)).resolves.toBe('there');
      expect(links.map(({ remove }) => remove.mock.calls.length)).toEqual([1, 0]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
