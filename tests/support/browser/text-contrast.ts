import type { Page } from 'playwright/test';

/** The share of a text's background that may have a lower contrast: edges of neighbours, a grid dot. */
const outlierShare = 0.02;
/** Hides the glyphs and keeps the background. Icons and borders, which use `color`, stay. */
const withoutText = `
  *, *::before, *::after, *::placeholder { -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important; text-shadow: none !important; }
  text, tspan { fill: transparent !important; }`;

type Measured = { at: number; ratio: number; needed: number };

/**
 * Measures texts against the pixels behind them, where axe cannot decide: on a gradient, on a picture, on overlapping elements.
 * Returns those below 4.5:1 (3:1 for large text) with their ratio. Covered and clipped texts are not readable and not measured. W9.06
 */
export async function paleTexts(page: Page, selectors: readonly string[]): Promise<string[]> {
  const left = new Set(await page.evaluate(uncovered, selectors));
  const pale: string[] = [];
  while (left.size > 0) {
    const first = [...left][0] as number;
    await page.evaluate(
      (selector) => document.querySelector(selector)?.scrollIntoView({ block: 'center', behavior: 'instant' }),
      selectors[first] as string,
    );
    const picture = (await page.screenshot({ style: withoutText, scale: 'css', animations: 'disabled' })).toString('base64');
    const asked = [...left].map((at) => ({ at, selector: selectors[at] as string }));
    for (const { at, ratio, needed } of await page.evaluate(measure, { asked, picture, outlierShare })) {
      left.delete(at);
      if (ratio < needed) pale.push(`${selectors[at]} (${ratio.toFixed(2)}:1)`);
    }
    // In view and still not visible: another element covers it, or its scroll container clips it.
    left.delete(first);
  }
  return pale;
}

/** Runs in the page. Returns the indexes of the elements that nothing covers once they are scrolled into view. */
function uncovered(selectors: readonly string[]): number[] {
  return selectors.flatMap((selector, at) => {
    const element = document.querySelector(selector);
    element?.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = element?.getBoundingClientRect();
    const hit = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return element && hit && (element.contains(hit) || hit.contains(element)) ? [at] : [];
  });
}

type Asked = { asked: { at: number; selector: string }[]; picture: string; outlierShare: number };

/** Runs in the page. Skips texts that are not completely in view. */
async function measure({ asked, picture, outlierShare }: Asked): Promise<Measured[]> {
  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
  const swatch = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context || !swatch) throw new Error('No 2D canvas');
  context.drawImage(bitmap, 0, 0);

  const rgba = (color: string): number[] => {
    swatch.clearRect(0, 0, 1, 1);
    swatch.fillStyle = color;
    swatch.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = swatch.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const luminance = (color: readonly number[]): number => {
    const [red = 0, green = 0, blue = 0] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isSeen = (element: Element, rect: DOMRect): boolean => {
    const hit = document.elementFromPoint(rect.x + rect.width / 2, rect.y + rect.height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  };
  const opacityOf = (element: Element | null): number =>
    element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);
  /** The boxes of the element's own text; the value and the placeholder of a field have no text node. */
  const rectsOf = (element: Element): DOMRect[] => {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return [element.getBoundingClientRect()];
    return [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      .flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()];
      });
  };
  const contrastIn = (rect: DOMRect, text: readonly number[], alpha: number): number[] => {
    const { data } = context.getImageData(
      Math.floor(rect.x),
      Math.floor(rect.y),
      Math.max(1, Math.floor(rect.width)),
      Math.max(1, Math.floor(rect.height)),
    );
    const ratios: number[] = [];
    for (let at = 0; at < data.length; at += 4) {
      const behind = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      const seen = behind.map((value, part) => (text[part] ?? 0) * alpha + value * (1 - alpha));
      const [one, other] = [luminance(behind), luminance(seen)];
      ratios.push((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
    }
    return ratios;
  };

  return asked.flatMap(({ at, selector }) => {
    const element = document.querySelector(selector);
    if (element === null) return [];
    const style = getComputedStyle(element);
    const isSvg = element instanceof SVGElement;
    const rects = rectsOf(element).filter((rect) => rect.width > 0 && rect.height > 0);
    const inView = (rect: DOMRect) => rect.x >= 0 && rect.y >= 0 && rect.right <= innerWidth && rect.bottom <= innerHeight;
    if (rects.length === 0 || !rects.every((rect) => inView(rect) && isSeen(element, rect))) return [];
    const [red = 0, green = 0, blue = 0, own = 1] = rgba(isSvg ? style.fill : style.webkitTextFillColor);
    const alpha = own * opacityOf(element);
    const ratios = rects.flatMap((rect) => contrastIn(rect, [red, green, blue], alpha)).sort((one, other) => one - other);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = !isSvg && (size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700));
    return [{ at, ratio: ratios[Math.floor(ratios.length * outlierShare)] ?? 1, needed: isLarge ? 3 : 4.5 }];
  });
}
