import { useEffect, useRef } from 'react';
import type { Page, ShellContent } from '../../content/types.ts';
import { Brand } from '../../ui/brand.tsx';
import { hasHero, isPlain } from '../kind-of-page.ts';
import { Menu } from '../menu.tsx';
import { AT_HEADER, watchTone } from '../watch-tone.ts';
import styles from './header.module.css';
import { Join } from './join.tsx';
import { watchScrolled } from './watch-scrolled.ts';

export function Header({ shell: { strings, menus }, page }: { shell: ShellContent; page: Page }) {
  const sentinel = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const header = useRef<HTMLElement>(null);
  useEffect(() => {
    if (sentinel.current && bar.current) return watchScrolled(sentinel.current, bar.current);
  }, []);
  useEffect(() => {
    if (header.current && hasHero(page)) return watchTone(header.current, AT_HEADER);
  }, [page]);
  return (
    <>
      <div ref={sentinel} className={styles.sentinel} />
      <header ref={header} className={styles.header} data-tone={hasHero(page) ? 'dark' : undefined}>
        <div ref={bar} className={styles.bar} data-header-bar />
        <a className={styles.logo} href="/" aria-label={strings.brand} data-entry="0">
          <Brand strings={strings} />
        </a>
        <Menu
          className={styles.menu}
          place={1}
          label={strings.labels.main}
          menu={menus.main_menu}
          current={page.path}
        />
        {!isPlain(page) && <Join label={strings.labels.join} page={page} />}
      </header>
    </>
  );
}
