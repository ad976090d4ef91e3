import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useObserved } from '../../state/use-observed.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { LeftOutNote, useLeftOut } from '../../ui/controls/fields/left-out.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Play, RotateCcw } from '../../ui/icons/icons.ts';
import { whenIdle } from '../../ui/loading/when-idle.ts';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { claims } from '../sections/claims.ts';
import { Section } from '../sections/section.tsx';
import { DemoOutput } from './demo-output.tsx';
import { DemoRun, offersExamples } from './demo-run.ts';
import styles from './public-demo-flow.module.css';

const examples = ['signUp', 'reset', 'staff'] as const;

/** The generator of the simulated team. It loads when the page is idle. */
const loadComposer = () => import('./compose-demo.ts');

/** The maximum length of a task (characters): the ticket shows two lines. */
const taskLimit = 120;

/** The visitor's own task from a ticket to a pull request, simulated on the page. */
export function PublicDemoFlow() {
  const { t, language } = useTranslation('offer');
  const { t: landing } = useTranslation('landing');
  const [run] = useState(() => new DemoRun());
  const state = useObserved(run.state, run.state.get);
  const [input, setInput] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { ref: limits, leftOut, forget } = useLeftOut();
  const isHydrated = useIsHydrated();
  useEffect(() => run.reset, [run]);
  useEffect(() => whenIdle(() => void loadComposer().catch(() => {})), []);
  // A browser restores typed text on a reload, before the script hydrates the page.
  useLayoutEffect(() => setInput(field.current?.value ?? ''), []);

  const team = [
    { role: 'ProjectManager', title: landing('agents.project.name') },
    { role: 'TechnicalArchitect', title: landing('agents.teamLead.name') },
    { role: 'Developer', title: landing('agents.developer.name') },
  ] as const;
  const compose = async (task: string) => (await loadComposer()).composeDemo(task, team, language);
  const composeExample = async (task: string) => (await loadComposer()).composeExample(task, team, language, t('demo.sampleSummary'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!run.start(input, compose)) field.current?.focus();
  };
  const tryExample = (task: string) => {
    setInput(task);
    run.start(task, composeExample);
  };
  const startOver = () => {
    run.reset();
    setInput('');
    field.current?.focus();
  };

  return (
    <Section
      id="public-demo-flow"
      layout="beside"
      kicker={t('demo.kicker')}
      title={t('demo.title')}
      lead={t('demo.lead')}
      under={
        <>
          <form ref={limits} className={styles.task} method="dialog" onSubmit={submit}>
            <input
              ref={field}
              className={styles.input}
              readOnly={!isHydrated}
              aria-label={t('demo.input')}
              placeholder={t('demo.placeholder')}
              maxLength={taskLimit}
              value={input}
              onChange={(event) => setInput(event.target.value)}
            />
            <Button type="submit" variant="primary" size="l" busy={state.running} icon={<Play size={16} />}>
              {t(state.running ? 'demo.running' : 'demo.run')}
            </Button>
          </form>
          {leftOut && <LeftOutNote leftOut={leftOut} onClose={forget} />}
          <p className={styles.simulated}>{t('demo.simulated')}</p>
          <p className={styles.free}>{t('demo.free', { seconds: claims.demoSeconds })}</p>
          {state.hasFailed && (
            <p className={styles.failed} role="alert">
              {t('demo.failed')}
            </p>
          )}
          <div className={styles.more}>
            {offersExamples(state) ? (
              <>
                <p className={styles.examplesTitle} id="demo-examples">
                  {t('demo.examplesTitle')}
                </p>
                <ul className={styles.examples} aria-labelledby="demo-examples">
                  {examples.map((key) => (
                    <li key={key}>
                      <button type="button" className={styles.example} onClick={() => tryExample(t(`demo.examples.${key}.input`))}>
                        <span className={styles.exampleTitle}>{t(`demo.examples.${key}.title`)}</span>
                        <span className={styles.exampleText}>{t(`demo.examples.${key}.description`)}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              </>
            ) : (
              !state.running && (
                <Button icon={<RotateCcw size={16} />} onClick={startOver}>
                  {t('demo.again')}
                </Button>
              )
            )}
          </div>
        </>
      }
    >
      <DemoOutput state={state} />
    </Section>
  );
}
