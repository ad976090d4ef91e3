import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import styles from './markdown.module.css';
import { orderHeadings } from './order-headings.ts';

/** `below`: the level of the heading that the text stands below. */
export type MarkdownProps = { text: string; below?: number | undefined };

/** Agents' Markdown: raw HTML stays text, images are named and never fetched, links open in a new tab. */
export function Markdown({ text, below = 2 }: MarkdownProps) {
  return (
    <div className={styles.markdown}>
      <ReactMarkdown remarkPlugins={plugins} rehypePlugins={[[orderHeadings, { below }]]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

const plugins = [remarkGfm];

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noreferrer noopener nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ alt }) => <em>{alt}</em>,
  // A wide table or code scrolls in its own box, which keys reach and scroll.
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1
    <div className={styles.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
};
