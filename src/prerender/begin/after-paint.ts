/** Lets scripts and fonts begin once all of the page has been drawn, which they would only slow down; where the page is not seen, once it is there. */
export function afterPaint(begin: () => void): void {
  addEventListener('DOMContentLoaded', () => {
    if (document.visibilityState === 'hidden') begin();
    else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)));
    // Where no frame comes; by then there is nothing left to begin elsewhere.
    setTimeout(begin, 5_000);
  });
}

/** What the page asks for after its first paint. It is there before the script that calls this. */
export function laterParts(): DocumentFragment {
  return (document.getElementById('later') as HTMLTemplateElement).content;
}
