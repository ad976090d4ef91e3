import { type FunctionComponent, useState } from 'react';
import type { NotLoadedProps } from '../ui/loading/lazy-part.tsx';
import { PartNotLoaded } from '../ui/loading/part-not-loaded.tsx';
import styles from './landing-page.module.css';

/**
 * Stands in for a prerendered part of the page whose script did not arrive: its words stay and its links lead where they lead, as in the
 * document that the server sent. A note says that the part cannot do more yet.
 */
export function keptMarkup(part: 'picture' | 'sections' | 'footer'): FunctionComponent<Pick<NotLoadedProps, 'retry' | 'isRetrying'>> {
  return function KeptMarkup({ retry, isRetrying }) {
    const [html] = useState(() => sentMarkup(part));
    // The picture is decoration: without it the page lacks nothing that a visitor could ask for again.
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

/** What of a part the page was sent with; null where a script draws the page. Read once, since React takes it away. */
function sentMarkup(part: string): string | null {
  const known = kept.get(part);
  if (known !== undefined) return known;
  const html = document.querySelector(`[data-part="${part}"]`)?.innerHTML ?? '';
  if (!/<(section|footer|svg)/.test(html)) return null;
  kept.set(part, html);
  return html;
}
