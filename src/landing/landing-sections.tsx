import { useEffect, useState } from 'react';
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
  useEffect(showAnchor, []);
  useEffect(
    () =>
      whenIdle(() => {
        setAtRest(true);
        loadMotion();
      }),
    [],
  );
  return (
    <MotionScope>
      <ChosenPlanProvider>
        <div data-at-rest={atRest || undefined}>
          {sections.map(({ key, Part }) => (
            <Part key={key} />
          ))}
        </div>
      </ChosenPlanProvider>
    </MotionScope>
  );
}

/** On a page that was rendered by script, the browser has looked for the URL's anchor too early. */
function showAnchor() {
  if (location.hash && !scrollY) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
