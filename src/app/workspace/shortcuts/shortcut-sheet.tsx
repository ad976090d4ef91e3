import { useState } from 'react';
import { Segmented } from '../../../ui/controls/fields/segmented.tsx';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../frame/panels.tsx';
import { type Platform, shortcutLabel, thisPlatform } from '../frame/shortcut-label.ts';
import { type ShortcutLine, shortcutGroups } from './shortcut-groups.ts';
import styles from './shortcut-sheet.module.css';

/** All keys and gestures, with the key names of this platform or of the other one. */
export function ShortcutSheet() {
  const { t } = useTranslation('actions');
  const { panels, show } = usePanels();
  const [platform, setPlatform] = useState<Platform>(thisPlatform);
  return (
    <Modal
      open={panels.window?.kind === 'shortcuts'}
      onClose={() => show({ window: null })}
      title={t('shortcuts.title')}
      description={t('shortcuts.text')}
      size="l"
    >
      <div className={styles.platform}>
        <Segmented
          label={t('shortcuts.platform')}
          value={platform}
          options={[
            { value: 'other', label: 'Windows, Linux' },
            { value: 'mac', label: 'macOS' },
          ]}
          onChange={setPlatform}
        />
      </div>
      <div className={styles.groups} data-testid="shortcuts">
        {shortcutGroups.map(({ name, lines }) => (
          <section key={name} className={styles.group}>
            <h3 className={styles.title}>{t(`shortcuts.group.${name}`)}</h3>
            <dl className={styles.lines}>
              {lines.map((line) => (
                <div key={line.name} className={styles.line}>
                  <dt>
                    <LineName line={line} />
                  </dt>
                  <dd>
                    {line.kind === 'gesture' ? t(`shortcuts.gesture.${line.name}.how`) : <Keys keys={line.keys} platform={platform} />}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

function LineName({ line }: { line: ShortcutLine }) {
  const { t } = useTranslation('actions');
  switch (line.kind) {
    case 'action':
      return t(`name.${line.name}`);
    case 'key':
      return t(`shortcuts.key.${line.name}`);
    case 'gesture':
      return t(`shortcuts.gesture.${line.name}.what`);
  }
}

function Keys({ keys, platform }: { keys: readonly string[]; platform: Platform }) {
  return keys.map((each) => <Kbd key={each} keys={shortcutLabel(each, platform)} />);
}
