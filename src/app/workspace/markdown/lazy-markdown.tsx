import { Suspense } from 'react';
import { plainMarkdown } from '../../../../rules/text/plain-markdown.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import type { MarkdownProps } from './markdown.tsx';

const Loaded = lazyPart<MarkdownProps>(
  () => import('./markdown.tsx').then((file) => file.Markdown),
  ({ part }) => <PlainText text={part.text} />,
);

/** Markdown whose parser is loaded when first needed. Until then, and after a failure, the text is shown without its marks. */
export function LazyMarkdown({ text, below }: MarkdownProps) {
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <Loaded text={text} below={below} />
    </Suspense>
  );
}

function PlainText({ text }: Pick<MarkdownProps, 'text'>) {
  return <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', font: 'inherit' }}>{plainMarkdown(text)}</pre>;
}
