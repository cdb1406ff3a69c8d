// Outlines blocks of a copied page whose texts are not translated yet.
const { compose, element, hooks } = wp;
/** Texts of the page from which this one was copied, as `plainText` returns them. */
const copiedTexts = new Set(window.pillionToDo);

/** As `ToDo::plain_text()` in PHP. */
const plainText = (html: unknown) => {
  const { body } = new DOMParser().parseFromString(String(html).replaceAll('<', ' <'), 'text/html');
  return body.textContent.replace(/\s+/g, ' ').trim();
};

/** A text can be in rows. A rich text is an object of WordPress; its `toString` returns HTML. */
const isUntranslated = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(isUntranslated);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.values(value).some(isUntranslated);
  const isText = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return isText && copiedTexts.has(plainText(value));
};

const withToDo = compose.createHigherOrderComponent(
  (Block: unknown) => (props: ElementProperties) => {
    const outline = Object.values(props.attributes).some(isUntranslated) ? { 'data-pillion-to-do': '' } : {};
    return element.createElement(Block, { ...props, wrapperProps: { ...props.wrapperProps, ...outline } });
  },
  'withToDo',
);

// On other pages the filter would parse every attribute at every change.
if (copiedTexts.size > 0) hooks.addFilter('editor.BlockListBlock', 'pillion/to-do', withToDo);
