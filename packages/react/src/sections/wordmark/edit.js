{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { el, Section, register, useStrings } = window.pillionSections;

  /** The brand's mark. As a mask it takes the page's colour, and no script inside an SVG can run. */
  const Wordmark = (props) => {
    const { logo, brand } = useStrings();
    return el(
      Section,
      props,
      logo ? el(Mark, { source: `data:image/svg+xml,${encodeURIComponent(logo)}`, brand }) : el(BrandName, { brand }),
    );
  };

  const Mark = ({ source, brand }) =>
    el(
      'span',
      { className: 'pillion-mark', style: { WebkitMaskImage: `url("${source}")`, maskImage: `url("${source}")` } },
      el('img', { src: source, alt: brand || '' }),
    );

  /** A brand without a mark, its name set across the width: a letter of the expanded type is about 0.75 em wide. */
  const BrandName = ({ brand }) => {
    const name = brand || __('The brand’s name', 'pillion');
    return el(
      'p',
      { className: 'pillion-mark-name', style: { fontSize: `${Math.min(20, 120 / name.length)}cqi` } },
      name,
    );
  };

  register('wordmark', Wordmark);
}
