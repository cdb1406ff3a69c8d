import type { ShellContent } from '@pillion/content/types.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { EnginesProvider } from '@pillion/motion/hooks/use-engines.ts';
import { Component, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Shell } from './shell/shell.tsx';
import type { Site } from './site/site.ts';
import { ServerErrorPage } from './ui/error-page/error-page.tsx';

interface Props {
  site: Site;
  engines: Engines;
  /** Whether a visitor may be asked for consent (R47): the footer then has a button to be asked again. */
  asksConsent: boolean;
  onLive?: () => void;
}

/** The one page of the site: whatever path it is, its template inside its layout inside the shell (R1, R2). */
export function Pillion({ site, engines, asksConsent, onLive }: Props) {
  const { page, template, shell } = useSyncExternalStore(site.subscribe, site.view, site.view);
  // Effects run once the page is hydrated, this one after all others: what the visitor does is heard from here on, and
  // every part of the hero has registered with the stage.
  useEffect(() => onLive?.(), [onLive]);
  const { Component: Content, getLayout } = template;
  const content = <Content page={page} shell={shell} />;
  return (
    <EnginesProvider value={engines}>
      <Shell shell={shell} page={page} asksConsent={asksConsent}>
        {/* Keyed by path: nothing of one page's state, an error least of all, outlives it. */}
        <Boundary key={page.path} shell={shell}>
          {getLayout ? getLayout(content, { page, shell }) : content}
        </Boundary>
      </Shell>
    </EnginesProvider>
  );
}

/** Keeps the shell standing when a template throws in the browser: the error page shows in its place. */
class Boundary extends Component<{ shell: ShellContent; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <ServerErrorPage shell={this.props.shell} /> : this.props.children;
  }
}
