const { __ } = wp.i18n;
const { el, Section, register, useStrings } = window.pillionSections;

/** The brand's logo. As a mask it has the page's colour, and scripts inside the SVG cannot run. */
const Wordmark = (props: SectionProps) => {
  const { logo, brand } = useStrings();
  return el(
    Section,
    props,
    logo
      ? el(MaskedLogo, { source: `data:image/svg+xml,${encodeURIComponent(logo)}`, brand })
      : el(BrandName, { brand }),
  );
};

const MaskedLogo = ({ source, brand }: { source: string; brand?: string }) =>
  el(
    'span',
    { className: 'pillion-mark', style: { WebkitMaskImage: `url("${source}")`, maskImage: `url("${source}")` } },
    el('img', { src: source, alt: brand || '' }),
  );

/**
 * The name of a brand without a logo, across the width: a letter of the expanded typeface is about 0.75 em wide, so the
 * name takes up to 90 % of it.
 */
const BrandName = ({ brand }: { brand?: string }) => {
  const name = brand || __('The brand’s name', 'pillion');
  return el(
    'p',
    { className: 'pillion-mark-name', style: { fontSize: `${Math.min(20, 120 / name.length)}cqi` } },
    name,
  );
};

register('wordmark', Wordmark);
