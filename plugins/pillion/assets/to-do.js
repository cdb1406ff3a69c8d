// Outlines blocks of a copied page whose words are still the original's. No build: WordPress' own packages are globals.
{
  const { compose, element, hooks } = window.wp;
  const copied = new Set(window.pillionToDo);

  /** As `ToDo::plain()` has it. */
  const plain = (html) => {
    const { body } = new DOMParser().parseFromString(String(html).replaceAll('<', ' <'), 'text/html');
    return body.textContent.replace(/\s+/g, ' ').trim();
  };

  /** A text may lie in rows; one with marks is an object of WordPress whose `toString` is its HTML. */
  const isToDo = (value) => {
    if (Array.isArray(value)) return value.some(isToDo);
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      return Object.values(value).some(isToDo);
    return (typeof value === 'string' || typeof value === 'object') && value !== null && copied.has(plain(value));
  };

  hooks.addFilter(
    'editor.BlockListBlock',
    'pillion/to-do',
    compose.createHigherOrderComponent(
      (Block) => (props) => {
        const mark = Object.values(props.attributes).some(isToDo) ? { 'data-pillion-to-do': '' } : {};
        return element.createElement(Block, { ...props, wrapperProps: { ...props.wrapperProps, ...mark } });
      },
      'withToDo',
    ),
  );
}
