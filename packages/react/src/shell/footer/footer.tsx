import type { Page, ShellContent } from '@pillion/content/types.ts';
import { useId } from 'react';
import { hasForm, hasHero, isPlain } from '../../registry/kind-of-page.ts';
import { Languages } from '../menu/languages.tsx';
import { Menu } from '../menu/menu.tsx';
import { Scrollbar } from '../scrollbar/scrollbar.tsx';
import { Toggles } from '../toggles/toggles.tsx';
import styles from './footer.module.css';

interface Props {
  shell: ShellContent;
  page: Page;
  asksConsent: boolean;
}

/**
 * On large screens, colophon, legal and social links are at the viewport's edges. On small ones the footer is in the
 * flow, collapsed to colophon and toggle (R8, attach-footer.ts); without script the stylesheet shows all of it.
 */
export function Footer({ shell, page, asksConsent }: Props) {
  const { strings, menus } = shell;
  const moreId = useId();
  const { labels } = strings;
  // The footer's parts are visible over the picture of a hero or a sign-up; other sections cover them.
  const isOverPicture = hasHero(page) || hasForm(page);
  return (
    <footer
      className={styles.footer}
      data-tone={isOverPicture ? 'dark' : undefined}
      data-plain={isPlain(page) || undefined}
    >
      <div className={styles.corner}>
        <p data-entry="2">{strings.footer.colophon}</p>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={false}
          aria-controls={moreId}
          aria-label={labels.more}
          data-more={labels.more}
          data-less={labels.less}
        />
        <div className={styles.more} id={moreId}>
          <Menu className={styles.main} place={1} label={labels.main} menu={menus.main_menu} current={page.path} />
          <Languages className={styles.main} shell={shell} page={page} />
          <Menu className={styles.legal} place={3} label={labels.legal} menu={menus.legals_menu} current={page.path} />
          {/* The consent code listens to this button. It is loaded only with a tag manager. */}
          {asksConsent && (
            <div className={styles.again}>
              <button type="button" data-consent>
                {strings.consent.reopen}
              </button>
              <p data-signal hidden>
                {strings.consent.signal}
              </p>
            </div>
          )}
        </div>
      </div>
      {!isPlain(page) && (
        <Menu className={styles.social} place={4} label={labels.social} menu={menus.social_menu} current={page.path} />
      )}
      <Toggles className={styles.toggles} strings={strings} page={page} />
      {/* In the footer, so that it is inside a landmark and last in the Tab order. */}
      <Scrollbar label={page.title} />
    </footer>
  );
}
