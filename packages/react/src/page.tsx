import { SoundHint } from 'virtual:pillion/sound-controls';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import { tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { EnginesProvider } from '@pillion/motion/hooks/use-engines.ts';
import { Component, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { isPlain } from './registry/kind-of-page.ts';
import { Footer } from './shell/footer/footer.tsx';
import { Header } from './shell/header/header.tsx';
import { Loader } from './shell/loader/loader.tsx';
import styles from './shell/shell.module.css';
import type { Site } from './site/site.ts';
import { ServerErrorPage } from './ui/error-page/error-page.tsx';

interface Props {
  site: Site;
  engines: Engines;
  /** Whether the site asks for consent (R47): the footer then has a button that opens the dialog again. */
  asksConsent: boolean;
  onHydrated?: () => void;
}

/** Renders any page of the site: its template inside its layout inside the shell (R1, R2). */
export function Pillion({ site, engines, asksConsent, onHydrated }: Props) {
  const { page, template, shell } = useSyncExternalStore(site.subscribe, site.view, site.view);
  // This effect runs last, after hydration: event handlers work, and all parts of the hero are registered.
  useEffect(() => onHydrated?.(), [onHydrated]);
  // The new page may move, or the old one may have moved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only `page` shows that the page has changed.
  useEffect(tellOfMotion, [page]);
  if (!template) return null;
  const { Component: Content, getLayout } = template;
  const content = <Content page={page} shell={shell} />;
  return (
    <EnginesProvider value={engines}>
      <Shell shell={shell} page={page} asksConsent={asksConsent}>
        {/* Keyed by path, so that no state of a page, such as an error, remains on the next one. */}
        <ErrorBoundary key={page.path} shell={shell}>
          {getLayout ? getLayout(content, { page, shell }) : content}
        </ErrorBoundary>
      </Shell>
    </EnginesProvider>
  );
}

interface ShellProps {
  shell: ShellContent;
  page: Page;
  asksConsent: boolean;
  children: ReactNode;
}

/** The parts that stay when the page changes (R1). */
function Shell({ shell, page, asksConsent, children }: ShellProps) {
  return (
    <>
      {/* A landmark for the skip link and the offer of a language, which come before the header. */}
      <nav aria-label={shell.strings.labels.skip}>
        <a className={styles.skip} href="#main">
          {shell.strings.labels.skip}
        </a>
        {/* For the offer, which may be there before hydration: React ignores the content of an element like this. */}
        <div suppressHydrationWarning>{''}</div>
      </nav>
      <Header shell={shell} page={page} />
      <main id="main" tabIndex={-1} lang={page.standIn?.tag} dir={page.standIn?.dir}>
        {children}
      </main>
      <Footer shell={shell} page={page} asksConsent={asksConsent} />
      {!isPlain(page) && <SoundHint label={shell.strings.labels.sound} />}
      <Loader shell={shell} page={page} />
    </>
  );
}

/** Shows the error page inside the shell if a template throws in the browser. */
class ErrorBoundary extends Component<{ shell: ShellContent; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <ServerErrorPage shell={this.props.shell} /> : this.props.children;
  }
}
