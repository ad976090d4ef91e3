import { lazy, Suspense } from 'react';

const Loaded = lazy(() => import('./markdown.tsx').then((module) => ({ default: module.Markdown })));

/** Markdown whose parser is fetched when first needed; until then the text stands as it was written. */
export function LazyMarkdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<pre style={{ whiteSpace: 'pre-wrap', font: 'inherit' }}>{text}</pre>}>
      <Loaded text={text} />
    </Suspense>
  );
}
