import { Suspense } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';

type MarkdownProps = { text: string };

const Loaded = lazyPart<MarkdownProps>(
  () => import('./markdown.tsx').then((file) => file.Markdown),
  ({ part }) => <AsWritten text={part.text} />,
);

/** Markdown whose parser is loaded when first needed. Until then, and after a failure, the text is shown as written. */
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
