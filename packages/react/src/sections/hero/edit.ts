/** The hero also shows the scroll hint, which is one of the site's texts. */
const { el, Section, register, useStrings } = window.pillionSections;

const Hero = (props: SectionProps) => {
  const labels = useStrings().labels || {};
  return el(
    Section,
    props,
    Boolean(labels.scroll) && el('p', { className: 'pillion-scroll', 'aria-hidden': true }, labels.scroll),
  );
};

register('hero', Hero);
