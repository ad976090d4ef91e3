import { useEffect, useState } from 'react';
import type { Profile } from '../../../../contract/account.ts';
import type { Project } from '../../../../contract/project.ts';
import type { CallFailure } from '../../../session/auth-calls.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { TabPanel, Tabs } from '../../../ui/controls/tabs.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Loading } from '../../../ui/loading/remote-state.tsx';
import { AllBudgets } from '../budgets/all-budgets.tsx';
import { usePanels } from '../frame/panels.tsx';
import styles from './account.module.css';
import { AccountData } from './account-data.tsx';
import { AccountSettings } from './account-settings.tsx';
import { EmailState } from './email-state.tsx';
import { FormProblem } from './form-problem.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { StoragePart } from './storage-part.tsx';

/** The profile, the password, the budgets, what is stored, and the settings of language and theme. R12 */
export function AccountWindow() {
  const { t } = useTranslation('account');
  const { panels, show } = usePanels();
  const asked = panels.window?.kind === 'account' ? panels.window : null;
  return (
    <Modal open={asked !== null} onClose={() => show({ window: null })} title={t('words:account')} size="m">
      {asked && <Account budgetsOf={asked.budgetsOf ?? null} />}
    </Modal>
  );
}

const parts = ['profile', 'password', 'budgets', 'storage', 'data', 'settings'] as const;

/** `budgetsOf`: the project whose budgets are shown first. */
function Account({ budgetsOf }: { budgetsOf: Project | null }) {
  const { t, language } = useTranslation('account');
  const { loadProfile } = useSession();
  const [part, setPart] = useState<(typeof parts)[number]>(budgetsOf ? 'budgets' : 'profile');
  const [profile, setProfile] = useState<Profile | null>(null);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again
  useEffect(() => {
    let here = true;
    void loadProfile().then((answer) => {
      if (!here) return;
      if (answer.ok) setProfile(answer.value);
      setFailure(answer.ok ? null : answer.failure);
    });
    return () => {
      here = false;
    };
  }, [loadProfile, tries]);

  return (
    <Tabs
      className={styles.tabs}
      label={t('tabs.label')}
      value={part}
      onChange={setPart}
      tabs={parts.map((value) => ({ value, label: t(`tabs.${value}`) }))}
    >
      <TabPanel value="profile" className={styles.part}>
        {profile ? (
          <>
            <p className={styles.since}>
              {t('since', { date: new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(profile.createdAt)) })}
              {profile.isStaff && <Badge tone="accent">{t('staff')}</Badge>}
            </p>
            <ProfileForm profile={profile} onSaved={setProfile} />
            <EmailState key={profile.email} profile={profile} />
          </>
        ) : failure ? (
          <>
            <FormProblem failure={failure} />
            <Button onClick={() => setTries(tries + 1)}>{t('words:repeat')}</Button>
          </>
        ) : (
          <Loading className={styles.waiting} text={t('loading')} size={18} />
        )}
      </TabPanel>
      <TabPanel value="password" className={styles.part}>
        <PasswordForm />
      </TabPanel>
      <TabPanel value="budgets" className={styles.part}>
        <AllBudgets of={budgetsOf} />
      </TabPanel>
      <TabPanel value="storage" className={styles.part}>
        <StoragePart />
      </TabPanel>
      <TabPanel value="data" className={styles.part}>
        <AccountData />
      </TabPanel>
      <TabPanel value="settings" className={styles.part}>
        <AccountSettings />
      </TabPanel>
    </Tabs>
  );
}
