import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { IconComponent } from '../../ui/icon.tsx';
import { CodeXml, FileText, GitPullRequest, ListChecks } from '../../ui/icons.ts';
import { StateGlyph } from '../picture/state-glyph.tsx';
import { demoCode } from './demo-code.ts';
import styles from './demo-output.module.css';
import { type DemoState, type DemoStep, demoSteps } from './demo-run.ts';

const icons: Record<DemoStep, IconComponent> = { ticket: FileText, plan: ListChecks, code: CodeXml, pr: GitPullRequest };

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
            task={state.task}
            progress={place < state.shown ? 'done' : state.running && place === state.shown ? 'active' : 'waiting'}
          />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {last && `${t(`demo.steps.${last}.name`)}: ${t(`demo.steps.${last}.title`)}`}
      </p>
    </>
  );
}

function Step({ step, task, progress }: { step: DemoStep; task: string; progress: 'done' | 'active' | 'waiting' }) {
  const { t } = useTranslation('offer');
  const Icon = icons[step];
  return (
    <li className={styles.step} data-progress={progress}>
      <span className={styles.glyph}>
        <StateGlyph state={progress} size={18} />
      </span>
      <div className={styles.card}>
        <p className={styles.name}>
          <Icon size={15} strokeWidth={1.75} />
          {t(`demo.steps.${step}.name`)}
        </p>
        <div className={styles.body}>
          <p className={styles.title}>{t(`demo.steps.${step}.title`)}</p>
          <p className={step === 'ticket' ? styles.task : styles.content}>{step === 'ticket' ? task : t(`demo.steps.${step}.content`)}</p>
          {step === 'code' && <pre className={styles.code}>{demoCode}</pre>}
        </div>
      </div>
    </li>
  );
}
