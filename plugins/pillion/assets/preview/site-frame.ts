// The frame with the site, which is scaled to fit into the pane.
import type { SiteAddress } from './use-site.ts';

const { createElement: el, useLayoutEffect, useRef, useState } = wp.element;
const { __ } = wp.i18n;

/** @param siteWidth In CSS pixels of the site. @returns Styles that scale the frame down to the pane's width. */
const useFrameFit = (siteWidth: number) => {
  const paneRef = useRef(null);
  const [paneSize, setPaneSize] = useState({ width: siteWidth, height: 800 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) =>
      setPaneSize({ width: contentRect.width, height: contentRect.height }),
    );
    if (paneRef.current) observer.observe(paneRef.current);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, paneSize.width / siteWidth);
  const transform = scale < 1 ? `scale(${scale})` : undefined;
  return {
    paneRef,
    boxStyle: { width: siteWidth * scale, height: paneSize.height },
    frameStyle: { width: siteWidth, height: paneSize.height / scale, transform },
  };
};

interface SiteFrameProps {
  address: SiteAddress | null;
  frameRef: object;
  siteWidth: number;
}

export const SiteFrame = ({ address, frameRef, siteWidth }: SiteFrameProps) => {
  const { paneRef, boxStyle, frameStyle } = useFrameFit(siteWidth);
  return el(
    'div',
    { className: 'pillion-pane__stage', ref: paneRef },
    address &&
      el(
        'div',
        { className: 'pillion-pane__box', style: boxStyle },
        el('iframe', {
          key: address.attempt,
          ref: frameRef,
          src: address.url,
          style: frameStyle,
          title: __('The site', 'pillion'),
          className: 'pillion-pane__frame',
        }),
      ),
  );
};
