import { useState } from 'react';
import { hookEvents } from '../../../contract/hook.ts';
import type { PushDevice } from '../../../contract/push.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { CheckList } from '../../ui/controls/fields/check-list.tsx';
import { Switch } from '../../ui/controls/fields/switch.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import styles from '../api-list/api-list.module.css';
import { ReadProblem } from '../server-data/read-problem.tsx';
import { PushBrowser } from './push-browser.ts';
import { type Push, usePush } from './use-push.ts';

/** Whether this browser is told of events while Artel is closed, and which others are. K8.06 */
export function DeviceSection() {
  const { t } = useTranslation('connect');
  const [browser] = useState(() => new PushBrowser());
  const push = usePush(browser);
  const { remote, problem } = push;
  if (!remote.value && !remote.problem) return <Loading text={t('common:loading')} className={styles.note} />;
  const devices = remote.value?.devices ?? [];
  const own = devices.find(({ fingerprint }) => fingerprint === remote.value?.fingerprint) ?? null;
  const others = devices.filter((device) => device !== own);
  return (
    <div className={styles.parts} data-testid="device">
      <p className={styles.note}>{t('device.lead')}</p>
      <ReadProblem remote={remote} problem={problem} className={styles.problem} />
      {remote.value && <OwnDevice own={own} push={push} />}
      {own && <Wishes own={own} push={push} />}
      {others.length > 0 && <OtherDevices others={others} push={push} />}
      <p className={styles.note}>{t('device.phone')}</p>
    </div>
  );
}

type OwnProps = { own: PushDevice | null; push: Push };

/** The switch of this browser, or why there is none and what helps. */
function OwnDevice({ own, push }: OwnProps) {
  const { t } = useTranslation('connect');
  const { support, permission, isServiceLost, isBusy } = push;
  const refusalText = useRefusalText();
  if (support !== 'ready') return <p className={styles.warning}>{t(`device.${support}`)}</p>;
  // The browser can take the permission back at any time.
  const isOn = own !== null && permission === 'granted';
  return (
    <>
      <Switch
        label={t('device.on')}
        checked={isOn}
        disabled={isBusy}
        onChange={(next) => void (next || !own ? push.turnOn() : push.remove(own))}
      />
      {permission === 'denied' && (
        <p role="alert" className={styles.problem}>
          {t('device.denied')}
        </p>
      )}
      {isOn && own.refusal && (
        <p role="alert" className={styles.problem}>
          {refusalText(own.refusal)}
        </p>
      )}
      {permission !== 'denied' && isServiceLost && (
        <p role="alert" className={styles.problem}>
          {t('device.serviceLost')}
        </p>
      )}
    </>
  );
}

/** Which events this browser is told. */
function Wishes({ own, push }: { own: PushDevice; push: Push }) {
  const { t } = useTranslation('connect');
  const { isBusy } = push;
  return (
    <CheckList
      legend={t('device.events')}
      options={hookEvents.map((value) => ({ value, label: t(`event.${value}`) }))}
      chosen={own.events}
      disabled={isBusy}
      onToggle={(event, isOn) => void push.toggle(own, event, isOn)}
    />
  );
}

function OtherDevices({ others, push }: { others: readonly PushDevice[]; push: Push }) {
  const { t } = useTranslation('connect');
  const { isBusy } = push;
  const refusalText = useRefusalText();
  const date = useMomentText();
  return (
    <section className={styles.others} aria-labelledby="other-devices">
      <h3 id="other-devices" className={styles.note}>
        {t('device.others')}
      </h3>
      <ul className={styles.list}>
        {others.map((device) => (
          <li key={device.id} className={styles.row}>
            <div className={styles.head}>
              <div>
                <bdi className={styles.name}>{device.name}</bdi>
                <p className={styles.note}>{t('device.since', { at: date(device.addedAt) })}</p>
                {device.refusal && <p className={styles.problem}>{refusalText(device.refusal)}</p>}
              </div>
              <Button
                size="s"
                busy={isBusy}
                aria-label={t('device.removeOf', { name: device.name })}
                onClick={() => void push.remove(device)}
              >
                {t('words:removeForGood')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Statuses with which push services refuse the key or the contact of a server: Apple and Mozilla also have 400 for it. */
const keyStatuses: ReadonlySet<number> = new Set([400, 401, 403]);

/** Says why no notification arrives at a browser, with what helps. */
function useRefusalText() {
  const { t } = useTranslation('connect');
  const momentText = useMomentText();
  return ({ status, at }: NonNullable<PushDevice['refusal']>) => {
    return t(keyStatuses.has(status) ? 'device.refusedKey' : 'device.refused', { status, at: momentText(at) });
  };
}
