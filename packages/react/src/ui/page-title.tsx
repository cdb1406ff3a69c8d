import type { ReactNode } from 'react';

/** The title of a page without a hero. Its styles are in sections/rich-text/view.css. */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <header className="page-title">
      <h1>{children}</h1>
    </header>
  );
}
