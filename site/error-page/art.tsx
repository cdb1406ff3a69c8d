import type { ErrorArt } from '@pillion/react/ui/error-page/error-page.tsx';

/** An empty road with the title painted on it; `art.css` draws it. */
export const Art: ErrorArt = ({ kind, children }) => (
  <>
    <div className="error-page-sky" />
    <div className="error-page-way">
      {/* With forced colours the plane is hidden, and nothing moves. */}
      <div className="error-page-plane" data-moves={kind === 'not-found' || undefined} />
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
