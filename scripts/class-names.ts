import { globSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Names the classes of CSS modules: the class as it is written and its file's number, `toggle-c`. Numbers follow the
 * sorted paths, so that the browser's build and the server's come to the same names, and no two files share one. They
 * stand in the document, the stylesheet and the script, so they are as short as can be: in base 36, one sign for the
 * first 36 files.
 * @param root The project's folder, an absolute path.
 * @param files Paths of the modules there are, relative to `root`.
 * @returns What Vite asks as `generateScopedName`.
 */
export function createClassNames(root: string, files = globSync('packages/react/src/**/*.module.css', { cwd: root })) {
  const numbers = new Map(files.toSorted().map((file, at) => [file, at]));
  return (name: string, path: string): string => {
    const file = relative(root, path.replace(/\?.*$/, ''));
    // In development a module may have been added since.
    const number = numbers.get(file) ?? numbers.size;
    numbers.set(file, number);
    return `${name}-${number.toString(36)}`;
  };
}
