import { useEffect, useState } from 'react';
import { type Diagnosis, diagnoseConnection } from '../../session/diagnose-connection.ts';
import type { LoginProblem } from '../../session/login-problem.ts';
import type { Health } from '../../session/server-choice.ts';
import { usePickServer, useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../ui/controls/spinner.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CircleAlert, CircleCheck, CircleX, RotateCw } from '../../ui/icons/icons.ts';
import { browserName, platformName } from './browser-name.ts';
import { ConnectionCauses } from './connection-causes.tsx';
import styles from './login-error-box.module.css';

/** The problem of a sign-in, with the facts about this browser and the server. */
export function LoginErrorBox({ problem, title }: { problem: LoginProblem; title: string }) {
  const { t, language } = useTranslation('auth');
  const { probe } = useSession();
  const pickServer = usePickServer();
  const [health, setHealth] = useState<Health | null>(null);
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const unreachable = problem.code === 'network';
  const [time] = useState(() => new Date());

  useEffect(() => {
    let here = true;
    const look = async () => {
      const found = unreachable ? await diagnose(await pickServer()) : null;
      const server = found?.server ?? (await probe());
      if (!here) return;
      setHealth(server);
      setDiagnosis(found);
    };
    void look();
    return () => {
      here = false;
    };
  }, [probe, pickServer, unreachable]);

  const facts = [
    [t('diagnostics.browser'), browserName(navigator.userAgent) ?? t('diagnostics.unknown')],
    [t('diagnostics.platform'), platformName(navigator.userAgent) ?? t('diagnostics.unknown')],
    [t('diagnostics.network'), navigator.onLine ? t('diagnostics.online') : t('diagnostics.offline')],
    [t('diagnostics.time'), new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' }).format(time)],
    ...(diagnosis
      ? [[t('diagnostics.preflight'), t(diagnosis.preflight === 'passed' ? 'diagnostics.preflightPassed' : 'diagnostics.preflightFailed')]]
      : []),
    ...(diagnosis && diagnosis.mixedContent !== 'none'
      ? [[t('diagnostics.mixed'), t(diagnosis.mixedContent === 'blocked' ? 'diagnostics.mixedBlocked' : 'diagnostics.mixedHttps')]]
      : []),
  ] as const;

  return (
    <section className={styles.box}>
      <div className={styles.what} role="alert">
        <CircleAlert size={20} aria-hidden />
        <div>
          <h3 className={styles.title}>{title}</h3>
          {problem.code === 'network' ? (
            <ConnectionCauses />
          ) : (
            <p className={styles.text}>{problem.code === 'other' ? problem.message : t(`error.${problem.code}`)}</p>
          )}
        </div>
      </div>
      <div className={styles.head}>
        <h4>{t('words:diagnostics')}</h4>
        <HealthLine health={health} />
      </div>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button size="s" icon={<RotateCw size={14} aria-hidden />} onClick={() => location.reload()}>
        {t('diagnostics.reload')}
      </Button>
    </section>
  );
}

function HealthLine({ health }: { health: Health | null }) {
  const { t } = useTranslation('auth');
  if (!health) {
    return (
      <span className={styles.asking}>
        <Spinner size={14} />
        {t('diagnostics.asking')}
      </span>
    );
  }
  if (!health.healthy) {
    return (
      <span className={styles.silent}>
        <CircleX size={15} aria-hidden />
        {t('diagnostics.silent')}
      </span>
    );
  }
  return (
    <span className={styles.answers}>
      <CircleCheck size={15} aria-hidden />
      {t('diagnostics.answers', { ms: health.ms })}
    </span>
  );
}

/** Diagnoses the sign-in call. Other calls go to the same server by the same rules. */
async function diagnose(apiBase: string): Promise<Diagnosis> {
  const now = () => performance.now();
  const found = await diagnoseConnection({ apiBase, path: '/auth/login', pageProtocol: location.protocol, fetcher: fetch, now });
  // biome-ignore lint/suspicious/noConsole: the diagnosis is also meant for the console
  console.warn('[session] The server could not be reached', found);
  return found;
}
