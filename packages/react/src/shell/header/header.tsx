import type { Page, ShellContent } from '@pillion/content/types.ts';
import { isPlain } from '../../registry/kind-of-page.ts';
import { Brand } from '../../ui/brand.tsx';
import { Languages } from '../menu/languages.tsx';
import { Menu } from '../menu/menu.tsx';
import { AT_HEADER, useTone } from '../tone/watch-tone.ts';
import styles from './header.module.css';
import { Join } from './join.tsx';

/**
 * The fixed header. `attach-shell.ts` expects the sentinel directly before it, and shows the bar once the sentinel has
 * left the window (R6). `data-entry` is the order in the entry animation (R39).
 */
export function Header({ shell, page }: { shell: ShellContent; page: Page }) {
  const { home, strings, menus } = shell;
  const tone = useTone<HTMLElement>(page, AT_HEADER);
  return (
    <>
      <div className={styles.sentinel} />
      <header {...tone} className={styles.header}>
        <div className={styles.bar} data-header-bar />
        <a className={styles.logo} href={home} aria-label={strings.brand} data-entry="0">
          <Brand strings={strings} />
        </a>
        <Menu
          className={styles.menu}
          place={1}
          label={strings.labels.main}
          menu={menus.main_menu}
          current={page.path}
        />
        <a
          className={styles.search}
          href={`${home}search`}
          aria-current={page.template === 'search' ? 'page' : undefined}
          data-entry="1"
        >
          <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
            <path d="M11 11l4 4M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z" />
          </svg>
          <span className="visually-hidden">{strings.search.title}</span>
        </a>
        <Languages className={styles.menu} shell={shell} page={page} />
        {!isPlain(page) && <Join label={strings.labels.join} page={page} home={home} />}
      </header>
    </>
  );
}
