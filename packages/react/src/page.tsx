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
  /** Whether the site asks for consent (R47): the footer then has a button that opens the dialog again. */
  asksConsent: boolean;
  onLive?: () => void;
}

/** Renders any page of the site: its template inside its layout inside the shell (R1, R2). */
export function Pillion({ site, engines, asksConsent, onLive }: Props) {
  const { page, template, shell } = useSyncExternalStore(site.subscribe, site.view, site.view);
  // This effect runs last, after hydration: event handlers work, and all parts of the hero are registered.
  useEffect(() => onLive?.(), [onLive]);
  const { Component: Content, getLayout } = template;
  const content = <Content page={page} shell={shell} />;
  return (
    <EnginesProvider value={engines}>
      <Shell shell={shell} page={page} asksConsent={asksConsent}>
        {/* Keyed by path, so that no state of a page, such as an error, remains on the next one. */}
        <Boundary key={page.path} shell={shell}>
          {getLayout ? getLayout(content, { page, shell }) : content}
        </Boundary>
      </Shell>
    </EnginesProvider>
  );
}

/** Shows the error page inside the shell if a template throws in the browser. */
class Boundary extends Component<{ shell: ShellContent; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <ServerErrorPage shell={this.props.shell} /> : this.props.children;
  }
}
