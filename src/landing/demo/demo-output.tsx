import * as m from 'framer-motion/m';
import type { LucideIcon } from 'lucide-react/types';
import type { ReactNode } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CodeXml, FileText, GitPullRequest, ListChecks } from '../../ui/icons/icons.ts';
import { listItem } from '../../ui/motion/transitions.ts';
import { useAppearing } from '../../ui/motion/use-appearing.ts';
import { StateGlyph } from '../picture/state-glyph.tsx';
import styles from './demo-output.module.css';
import { type DemoState, type DemoStep, demoSteps, type DemoOutput as Output } from './demo-run.ts';

const icons: Record<DemoStep, LucideIcon> = { ticket: FileText, plan: ListChecks, code: CodeXml, pr: GitPullRequest };

/** The steps of the simulation. All have their places from the start, so that nothing moves when one appears. */
export function DemoOutput({ state }: { state: DemoState }) {
  const { t } = useTranslation('offer');
  const last = demoSteps[state.shown - 1];
  return (
    <>
      <ol className={styles.steps} aria-label={t('demo.output')}>
        {demoSteps.map((step, place) => (
          <Step
            key={step}
            step={step}
            state={state}
            progress={place < state.shown ? 'done' : state.running && place === state.shown ? 'active' : 'waiting'}
          />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {last && `${t(`demo.steps.${last}`)}: ${titleOf(last, state, t('demo.newTask'))}`}
      </p>
    </>
  );
}

function Step({ step, state, progress }: { step: DemoStep; state: DemoState; progress: 'done' | 'active' | 'waiting' }) {
  const { t } = useTranslation('offer');
  const Icon = icons[step];
  return (
    <li className={styles.step} data-progress={progress} data-step={step}>
      <span className={styles.glyph}>
        <StateGlyph state={progress} size={18} />
      </span>
      <div className={styles.card}>
        <p className={styles.name}>
          <Icon size={15} strokeWidth={1.75} />
          {t(`demo.steps.${step}`)}
        </p>
        {/* Another element once it is done, which enters. */}
        <Body key={progress === 'done' ? 'done' : 'waiting'}>
          <p className={styles.title}>{titleOf(step, state, t('demo.newTask'))}</p>
          {step === 'ticket' ? <p className={styles.task}>{state.task}</p> : <Made step={step} output={state.output} />}
        </Body>
      </div>
    </li>
  );
}

function Body({ children }: { children: ReactNode }) {
  return (
    <m.div {...useAppearing(listItem)} className={styles.body}>
      {children}
    </m.div>
  );
}

/** An agent's output. Its place has the same height before and after it appears. */
function Made({ step, output }: { step: Exclude<DemoStep, 'ticket'>; output: Output | null }) {
  const { t } = useTranslation('offer');
  if (step === 'plan') {
    return (
      <ol className={styles.waves}>
        {output?.plan.waves.map((wave) => (
          <li key={wave}>{wave}</li>
        ))}
      </ol>
    );
  }
  if (step === 'code') {
    return (
      <section className={styles.code} tabIndex={output ? 0 : -1} aria-label={t('demo.steps.code')}>
        <pre>{output?.code.text}</pre>
      </section>
    );
  }
  return (
    <>
      <p className={styles.summary}>{output?.pullRequest.summary}</p>
      <ul className={styles.files}>
        {output?.pullRequest.files.map(({ path, lines }) => (
          <li key={path}>
            {path} <span className={styles.added}>+{lines}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function titleOf(step: DemoStep, { output }: DemoState, newTask: string): string {
  if (step === 'ticket') return newTask;
  if (step === 'code') return output?.code.path ?? '';
  return (step === 'plan' ? output?.plan.title : output?.pullRequest.title) ?? '';
}
