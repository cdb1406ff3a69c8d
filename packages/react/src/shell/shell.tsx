import { SoundHint } from 'virtual:pillion/music';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import type { ReactNode } from 'react';
import { isPlain } from '../registry/kind-of-page.ts';
import { Footer } from './footer/footer.tsx';
import { Header } from './header/header.tsx';
import { Loader } from './loader/loader.tsx';
import styles from './shell.module.css';

interface Props {
  shell: ShellContent;
  page: Page;
  asksConsent: boolean;
  children: ReactNode;
}

/** The parts that stay when the page changes (R1). The announcer reports the new page's title to screen readers. */
export function Shell({ shell, page, asksConsent, children }: Props) {
  return (
    <>
      <a className={styles.skip} href="#main">
        {shell.strings.labels.skip}
      </a>
      <Header shell={shell} page={page} />
      <main id="main" tabIndex={-1} lang={page.standIn?.tag} dir={page.standIn?.dir}>
        {children}
      </main>
      <Footer shell={shell} page={page} asksConsent={asksConsent} />
      {!isPlain(page) && <SoundHint label={shell.strings.labels.sound} />}
      <Loader shell={shell} page={page} />
      <div className="visually-hidden" data-announcer aria-live="polite" />
    </>
  );
}
