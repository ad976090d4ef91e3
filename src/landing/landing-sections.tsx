import { useEffect, useState } from 'react';
import { whenIdle } from '../ui/when-idle.ts';
import { Advantages } from './advantages.tsx';
import { AgentsAndRoles } from './agents-and-roles.tsx';
import { Audience } from './audience.tsx';
import { ChosenPlanProvider } from './chosen-plan.tsx';
import { Comparison } from './comparison.tsx';
import { PublicDemoFlow } from './demo/public-demo-flow.tsx';
import { Faq } from './faq.tsx';
import { Features } from './features.tsx';
import { FinalCall } from './final-call.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { Pricing } from './pricing.tsx';
import { Testimonials } from './testimonials.tsx';

/** The page between header and footer, in its order: taking a section off the page is taking it out of this list. */
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

/** Everything below the first screen: it comes after the first screen has been drawn, or is taken over then. */
export function LandingSections() {
  const [atRest, setAtRest] = useState(false);
  useEffect(showAnchor, []);
  useEffect(() => whenIdle(() => setAtRest(true)), []);
  return (
    <ChosenPlanProvider>
      <div data-at-rest={atRest || undefined}>
        {sections.map(({ key, Part }) => (
          <Part key={key} />
        ))}
      </div>
    </ChosenPlanProvider>
  );
}

/** Where the page was drawn by script, the browser has looked for the address's anchor before it was there. */
function showAnchor() {
  if (location.hash && !scrollY) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
