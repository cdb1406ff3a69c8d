import type { ErrorArt } from '@pillion/react/ui/error-page/error-page.tsx';

/** An empty road with the title painted on it; `art.css` draws it. */
export const Art: ErrorArt = ({ kind, children }) => (
  <>
    <div className="error-page-sky" />
    <div className="error-page-way" data-moves={kind === 'not-found' || undefined}>
      <div className="error-page-plane" />
      <div className="error-page-line">
        <i />
      </div>
      <div className="error-page-posts">
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
      {children}
    </div>
  </>
);
