import type { ReactNode } from 'react';

/** A page's title where no hero says it. Its looks are in blocks.css, with those of the text that follows it. */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <header className="page-title">
      <h1>{children}</h1>
    </header>
  );
}
