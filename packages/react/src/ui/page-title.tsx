import type { ReactNode } from 'react';

/** A page's title where no hero says it. Its looks are with those of the text that follows it (sections/rich-text/view.css). */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <header className="page-title">
      <h1>{children}</h1>
    </header>
  );
}
