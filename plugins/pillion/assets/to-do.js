// Outlines blocks of a copied page whose texts are not translated yet. No build: WordPress' packages are globals.
{
  const { compose, element, hooks } = window.wp;
  const copied = new Set(window.pillionToDo);

  /** As `ToDo::plain()` in PHP. @param {unknown} html */
  const plain = (html) => {
    const { body } = new DOMParser().parseFromString(String(html).replaceAll('<', ' <'), 'text/html');
    return body.textContent.replace(/\s+/g, ' ').trim();
  };

  /**
   * A text can be in rows. A rich text is an object of WordPress; its `toString` returns HTML.
   * @param {unknown} value @returns {boolean}
   */
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
      (/** @type {unknown} */ Block) => (/** @type {any} */ props) => {
        const mark = Object.values(props.attributes).some(isToDo) ? { 'data-pillion-to-do': '' } : {};
        return element.createElement(Block, { ...props, wrapperProps: { ...props.wrapperProps, ...mark } });
      },
      'withToDo',
    ),
  );
}
