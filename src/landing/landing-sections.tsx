import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { whenIdle } from '../ui/loading/when-idle.ts';
import { loadMotion } from '../ui/motion/load-motion.ts';
import { MotionScope } from '../ui/motion/motion-scope.tsx';
import { PublicDemoFlow } from './demo/public-demo-flow.tsx';
import { Features } from './features/features.tsx';
import { HowItWorks } from './how-it-works/how-it-works.tsx';
import { ChosenPlanProvider } from './pricing/chosen-plan.tsx';
import { Pricing } from './pricing/pricing.tsx';
import { Advantages } from './sections/advantages.tsx';
import { AgentsAndRoles } from './sections/agents-and-roles.tsx';
import { Audience } from './sections/audience.tsx';
import { Comparison } from './sections/comparison.tsx';
import { Faq } from './sections/faq.tsx';
import { FinalCall } from './sections/final-call.tsx';
import { Testimonials } from './sections/testimonials.tsx';

/** The sections between header and footer, in order. */
const sections = [
  { key: 'how-it-works', Part: HowItWorks },
  { key: 'agents', Part: AgentsAndRoles },
  { key: 'features', Part: Features },
  { key: 'audience', Part: Audience },
  { key: 'demo', Part: PublicDemoFlow },
  { key: 'advantages', Part: Advantages },
  { key: 'comparison', Part: Comparison },
  { key: 'pricing', Part: Pricing },
  { key: 'testimonials', Part: Testimonials },
  { key: 'faq', Part: Faq },
  { key: 'final-call', Part: FinalCall },
] as const;

/** Everything below the first screen: rendered after its first paint, or hydrated then. */
export function LandingSections() {
  const [atRest, setAtRest] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(showAnchor, []);
  useEffect(
    () =>
      whenIdle(() => {
        const keepPlace = placeIn(frame.current);
        flushSync(() => setAtRest(true));
        keepPlace();
        loadMotion();
      }),
    [],
  );
  return (
    <MotionScope>
      <ChosenPlanProvider>
        <div ref={frame} data-at-rest={atRest || undefined}>
          {sections.map(({ key, Part }) => (
            <Part key={key} />
          ))}
        </div>
      </ChosenPlanProvider>
    </MotionScope>
  );
}

/**
 * Remembers which section the top of the view shows. The returned function scrolls it back there after a change of the heights above it: Chromium does not
 * for sections that it had not laid out, and not every browser has scroll anchoring.
 */
function placeIn(frame: Element | null): () => void {
  const shown = [...(frame?.children ?? [])].find((section) => section.getBoundingClientRect().bottom > 0);
  const topOf = () => shown?.getBoundingClientRect().top ?? 0;
  const before = topOf();
  return () => scrollBy({ top: topOf() - before, behavior: 'instant' });
}

/** On a page that was rendered by script, the browser has looked for the URL's anchor too early. */
function showAnchor() {
  if (location.hash && !scrollY) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
