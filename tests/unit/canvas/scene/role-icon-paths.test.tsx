import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { roleIconPaths } from '../../../../src/canvas/scene/cards/role-icon-paths.ts';
import { roleIconFiles } from '../../../../src/ui/icons/role-icon-files.ts';
import type { RoleIconName } from '../../../../src/ui/icons/role-icon-name.ts';

test.each(Object.keys(roleIconFiles) as RoleIconName[])('W3.03 the canvas draws the same pictogram as the page: %s', (name) => {
  const Icon = roleIconFiles[name].default;
  const markup = renderToStaticMarkup(<Icon />);
  const shapes = [...markup.matchAll(/<(path|circle|rect|line)\b/g)];
  const paths = [...markup.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]);
  expect(roleIconPaths[name]).toHaveLength(shapes.length);
  expect(roleIconPaths[name]).toEqual(expect.arrayContaining(paths));
});
