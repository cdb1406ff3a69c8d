import type { Page, ShellContent } from '@pillion/content/types.ts';
import { each } from '../../ui/each.tsx';

interface Props {
  shell: ShellContent;
  page: Page;
  className?: string | undefined;
}

/** Leads to the same page in another language, by plain links; nothing where the site has one. */
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
