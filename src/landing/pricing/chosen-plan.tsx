import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { PlanKey } from './plans.ts';

type ChosenPlan = { chosen: PlanKey | null; choose: (plan: PlanKey) => void };

const ChosenPlanContext = createContext<ChosenPlan | null>(null);

/** Keeps the visitor's chosen plan while the page is open. */
export function ChosenPlanProvider({ children }: { children: ReactNode }) {
  const [chosen, choose] = useState<PlanKey | null>(null);
  const value = useMemo(() => ({ chosen, choose }), [chosen]);
  return <ChosenPlanContext value={value}>{children}</ChosenPlanContext>;
}

export function useChosenPlan(): ChosenPlan {
  const value = useContext(ChosenPlanContext);
  if (!value) throw new Error('A chosen plan is asked for outside its provider');
  return value;
}
