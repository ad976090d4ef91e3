import { type FunctionComponent, useState } from 'react';
import type { NotLoadedProps } from '../ui/loading/lazy-part.tsx';
import { PartNotLoaded } from '../ui/loading/part-not-loaded.tsx';
import styles from './landing-page.module.css';

/**
 * Replaces a prerendered part of the page whose script did not load: its text and links stay as in the
 * server's document. A note says that the part does not work yet.
 */
export function keptMarkup(part: 'picture' | 'sections' | 'footer'): FunctionComponent<Pick<NotLoadedProps, 'retry' | 'isRetrying'>> {
  return function KeptMarkup({ retry, isRetrying }) {
    const [html] = useState(() => sentMarkup(part));
    // The picture is decoration: nothing is missing without it.
    if (html === null && part === 'picture') return null;
    if (html === null) return <PartNotLoaded retry={retry} isRetrying={isRetrying} />;
    return (
      <>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: it is the page's own markup, read from the page itself */}
        <div className={styles.kept} data-waiting dangerouslySetInnerHTML={{ __html: html }} />
        {part === 'sections' && <PartNotLoaded floating retry={retry} isRetrying={isRetrying} />}
      </>
    );
  };
}

const kept = new Map<string, string>();

/** The prerendered markup of a part; null on a page without it. Read once, since React removes it. */
function sentMarkup(part: string): string | null {
  const known = kept.get(part);
  if (known !== undefined) return known;
  const html = document.querySelector(`[data-part="${part}"]`)?.innerHTML ?? '';
  if (!/<(section|footer|svg)/.test(html)) return null;
  kept.set(part, html);
  return html;
}
