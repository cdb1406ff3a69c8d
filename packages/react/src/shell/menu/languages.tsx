import type { Page, ShellContent } from '@pillion/content/types.ts';
import { each } from '../../ui/each.tsx';

interface Props {
  shell: ShellContent;
  page: Page;
  className?: string | undefined;
}

/** Links to the same page in the other languages; empty if the site has one language. */
export const Languages = ({ shell, page, className }: Props) =>
  shell.languages[1] && (
    <nav className={className} aria-label={shell.strings.labels.language} data-entry="1">
      <ul>
        {each(shell.languages, ({ tag, name, home }) => (
          <li>
            <a href={page.translations?.[tag]?.path ?? home} lang={tag} aria-current={tag === shell.lang || undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
