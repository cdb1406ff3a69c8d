import { expect, test } from 'vitest';
import { createClassNames } from './class-names.ts';

const FILES = Array.from({ length: 2_000 }, (_, at) => `packages/react/src/sections/section-${at}/style.module.css`);

test('classes of one name in any number of files have names of their own', () => {
  const nameOf = createClassNames('/site', FILES);
  const names = FILES.map((file) => nameOf('root', `/site/${file}`));
  expect(new Set(names).size).toBe(FILES.length);
});

test('both builds come to the same names, in whatever order they read the files', () => {
  const one = createClassNames('/site', FILES);
  const other = createClassNames('/site', FILES.toReversed());
  const named = (nameOf: typeof one, files: string[]) =>
    Object.fromEntries(files.map((file) => [file, nameOf('root', `/site/${file}?used`)]));
  expect(named(one, FILES)).toEqual(named(other, FILES.toReversed()));
});

test('a module that is added while the server runs takes no other one’s name', () => {
  const nameOf = createClassNames('/site', ['app/a.module.css']);
  const added = nameOf('root', '/site/app/0-new.module.css');
  expect(added).not.toBe(nameOf('root', '/site/app/a.module.css'));
  expect(nameOf('root', '/site/app/0-new.module.css')).toBe(added);
});
