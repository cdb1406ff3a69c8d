const { el, Section, register, useStrings } = window.pillionSections;

/** The hero also shows the scroll hint, a text of the site. */
const Hero = (props: SectionProps) => {
  const { scroll } = useStrings().labels || {};
  return el(Section, props, Boolean(scroll) && el('p', { className: 'pillion-scroll', 'aria-hidden': true }, scroll));
};

register('hero', Hero);
