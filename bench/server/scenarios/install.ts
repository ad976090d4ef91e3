import { root } from '../bench-processes.ts';
import { installSize } from '../measure/install-size.ts';
import type { Scenario } from '../scenario.ts';

export const installScenario: Scenario = {
  name: 'install',
  run: async () => {
    const { wholeMb, withoutToolsMb, packages } = await installSize(root);
    return [
      { what: 'install, with Node and PostgreSQL', unit: 'MB', value: wholeMb, floor: { atMost: 700 }, note: `${packages} packages` },
      { what: 'install, without development tools', unit: 'MB', value: withoutToolsMb, floor: { atMost: 400 } },
    ];
  },
};
