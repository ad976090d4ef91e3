import { Suspense } from 'react';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

type Props = { text: string };

const Loaded = lazyPart<Props>(
  () => import('../workspace/markdown/markdown.tsx').then((file) => file.Markdown),
  ({ part }) => <AsWritten text={part.text} />,
);

/** Markdown of a question. Until its parser is loaded, and after a failure, the text is shown as written. */
export function QuestionMarkdown({ text }: Props) {
  return (
    <Suspense fallback={<AsWritten text={text} />}>
      <Loaded text={text} />
    </Suspense>
  );
}

function AsWritten({ text }: Props) {
  return <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', font: 'inherit' }}>{text}</pre>;
}
