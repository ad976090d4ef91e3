/** Calls `begin` after the first paint, so that scripts and fonts do not delay it; in a hidden page after the document is parsed. */
export function afterPaint(begin: () => void): void {
  addEventListener('DOMContentLoaded', () => {
    if (document.visibilityState === 'hidden') begin();
    else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)));
    // For a browser that draws no frames. A later second call of `begin` has no effect.
    setTimeout(begin, 5_000);
  });
}

/** Returns the elements that the page loads after its first paint. The template precedes the script that calls this. */
export function deferredParts(): DocumentFragment {
  return (document.getElementById('later') as HTMLTemplateElement).content;
}
