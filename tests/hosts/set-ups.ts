import type { Line } from '@pillion/server/doctor/finding.ts';
import type { Host } from './host.ts';

const INTRODUCTION = `# Set-ups of WordPress that need a setting

Each of these set-ups was broken on purpose, on a real web server with MariaDB. The middle column is what \`npm run doctor\` said. The
test then applied the setting that the last column names, or removed the cause, and repeated the checks that had failed. \`tests/hosts/doctor.test.ts\` writes this page:

\`\`\`sh
npm run test:hosts -- tests/hosts/doctor.test.ts -u
\`\`\`

CI fails if the doctor says something else. \`https://cms.example.org\` is WordPress, \`https://www.example.org\` is the site.
`;

const UNHARMED = `## Set-ups that need nothing

The doctor finds no problem in these set-ups, and the site works.
`;

/** A cell is one line without unescaped `|`, and its tags are text. */
const cell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();

/** Replaces what differs from run to run: addresses of the tests, and parts of a second. */
const steady = (text: string, { siteUrl, port }: Host) =>
  text
    .replaceAll(siteUrl, 'https://www.example.org')
    .replaceAll(siteUrl.replace('0.0.1', '0.0.2'), 'https://www.example.org')
    .replaceAll('add 127.0.0.2', 'add www.example.org')
    .replace(/(notify )https?:\/\/127\.0\.0\.1:\d+/g, '$1https://www.example.org')
    .replaceAll(`http://127.0.0.1:${port}`, 'https://cms.example.org')
    .replaceAll(`http://127.0.0.2:${port}`, 'https://old.example.org')
    .replace(/https?:\/\/127\.0\.0\.1:\d+/g, 'https://cms.example.org')
    .replace(/127\.0\.0\.1(:\d+)?/g, 'cms.example.org')
    .replace(/view-\d+\.webp/, 'picture.webp')
    .replace(/\b\d+ s (behind|ahead)/, '420 s $1');

interface Row {
  web: string;
  is: string;
  says: string;
  todo: string;
}

/** Collects what the doctor says, for `docs/reference/set-ups.md`. */
export class SetUps {
  readonly #rows: Row[] = [];
  readonly #unharmed: string[] = [];

  broken(web: string, is: string, lines: Line[], host: Host): void {
    const all = (what: 'says' | 'todo') => [...new Set(lines.map((line) => steady(line[what], host)))].join(' ');
    this.#rows.push({ web, is, says: all('says'), todo: all('todo') });
  }

  unharmed(is: string): void {
    this.#unharmed.push(is);
  }

  page(): string {
    const tables = [...new Set(this.#rows.map(({ web }) => web))].flatMap((web) => [
      `## ${web}`,
      '',
      '| set-up | the doctor | remedy |',
      '| --- | --- | --- |',
      ...this.#rows
        .filter((row) => row.web === web)
        .map((row) => `| ${cell(row.is)} | ${cell(row.says)} | ${cell(row.todo)} |`),
      '',
    ]);
    return [INTRODUCTION, ...tables, UNHARMED, ...this.#unharmed.map((is) => `- ${is}`), ''].join('\n');
  }
}
