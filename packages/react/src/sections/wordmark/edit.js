{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { el, Section, register, useStrings } = window.pillionSections;

  /**
   * The brand's mark. As a mask it has the page's colour, and scripts inside the SVG cannot run.
   * @param {SectionProps} props
   */
  const Wordmark = (props) => {
    const { logo, brand } = useStrings();
    return el(
      Section,
      props,
      logo ? el(Mark, { source: `data:image/svg+xml,${encodeURIComponent(logo)}`, brand }) : el(BrandName, { brand }),
    );
  };

  /** @param {{ source: string, brand?: string }} props */
  const Mark = ({ source, brand }) =>
    el(
      'span',
      { className: 'pillion-mark', style: { WebkitMaskImage: `url("${source}")`, maskImage: `url("${source}")` } },
      el('img', { src: source, alt: brand || '' }),
    );

  /**
   * The name of a brand without a mark, set across the width: a letter of the expanded type is about 0.75 em wide.
   * @param {{ brand?: string }} props
   */
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
