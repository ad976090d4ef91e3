import { Suspense } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';

type MarkdownProps = { text: string };

const Loaded = lazyPart<MarkdownProps>(
  () => import('./markdown.tsx').then((file) => file.Markdown),
  ({ part }) => <AsWritten text={part.text} />,
);

/** Markdown whose parser is fetched when first needed; until then, and where it does not arrive, the text stands as it was written. */
export function LazyMarkdown({ text }: MarkdownProps) {
  return (
    <Suspense fallback={<AsWritten text={text} />}>
      <Loaded text={text} />
    </Suspense>
  );
}

function AsWritten({ text }: MarkdownProps) {
  return <pre style={{ whiteSpace: 'pre-wrap', font: 'inherit' }}>{text}</pre>;
}
